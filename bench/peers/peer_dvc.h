/* What a program that measures dvc.h alone needs of its adapter. */
#ifndef PEER_DVC_H
#define PEER_DVC_H

#include "dvc.h"
#include <stdbool.h>

/* If set, told where the stages of a step begin: DVC_STAGE. */
extern void (*dvc_peer_stage)(const char *name);

/* The world behind one that peers_dvc opened. */
dvc_world *dvc_peer_world(void *world);

/* A step; contacts and scratch, both from malloc, grow when it asks for more, up to a limit. */
bool dvc_peer_advance(dvc_world *world, double h);

#endif
