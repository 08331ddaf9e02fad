/* The engines that are installed, or those of them whose names contain a word. */
#ifndef ENGINES_H
#define ENGINES_H

#include "peers.h"

enum { MOST_PEERS = 24 };

extern const peer *peers[MOST_PEERS];
extern int peer_count;

/* "" means all. Bullet SI, by which the others are measured, is always there. */
void engines_choose(const char *word);

/* The head of a table in Markdown: two words, then the engines' names. */
void engines_print_head(const char *first, const char *second);

#endif
