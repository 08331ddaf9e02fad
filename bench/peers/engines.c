#include "engines.h"
#include <stdio.h>
#include <string.h>

const peer *peers[MOST_PEERS];
int peer_count;

static void add(const peer *list, const char *word)
{
    for (; list->name; list++)
        if (strstr(list->name, word) || strcmp(list->name, "Bullet SI") == 0) peers[peer_count++] = list;
}

void engines_choose(const char *word)
{
    add(peers_dvc, word);
#ifdef WITH_ODE
    add(peers_ode, word);
#endif
#ifdef WITH_BULLET
    add(peers_bullet, word);
#endif
#ifdef WITH_MUJOCO
    add(peers_mujoco, word);
#endif
#ifdef WITH_DART
    add(peers_dart, word);
#endif
#ifdef WITH_BOX2D
    add(peers_box2d, word);
#endif
#ifdef WITH_CHIPMUNK
    add(peers_chipmunk, word);
#endif
}

void engines_print_head(const char *first, const char *second)
{
    int i;
    printf("| %s | %s |", first, second);
    for (i = 0; i < peer_count; i++) printf(" %s |", peers[i]->name);
    printf("\n|");
    for (i = 0; i < peer_count + 2; i++) printf("---|");
    printf("\n");
}
