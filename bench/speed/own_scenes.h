/* Scenes that are timed with dvc.h alone: with joints, or with bodies that move as told. */
#ifndef OWN_SCENES_H
#define OWN_SCENES_H

#include "dvc.h"

typedef struct own_speed_scene {
    const char *name;
    dvc_world *(*make)(int size); /* never freed: the process ends with the run */
    int size;
    double h, seconds;
} own_speed_scene;

enum { OWN_SCENES = 5 };

extern const own_speed_scene own_scenes[OWN_SCENES];

#endif
