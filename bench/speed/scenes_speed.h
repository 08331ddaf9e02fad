/* Which of the shared scenes are timed, in which sizes. */
#ifndef SCENES_SPEED_H
#define SCENES_SPEED_H

#include "peers.h"

#define SPEED_H 0.01

typedef struct speed_scene {
    const char *name;
    peers_scene *(*make)(int size);
    int size;
} speed_scene;

static peers_scene *make_flat_stack(int size) { (void)size; return scene_stack(true, 0, 0.5, SPEED_H, 4); }
static peers_scene *make_stack(int size) { (void)size; return scene_stack(false, 0, 0.5, SPEED_H, 4); }
static peers_scene *make_columns_of_4(int size) { return scene_columns(size, 4, SPEED_H); }
static peers_scene *make_columns_of_10(int size) { return scene_columns(size, 10, SPEED_H); }
static peers_scene *make_block_of_4(int wide) { return scene_block(wide, 4, SPEED_H); }
static peers_scene *make_block_of_10(int wide) { return scene_block(wide, 10, SPEED_H); }
static peers_scene *make_pile(int size) { return scene_pile(size, SPEED_H); }
static peers_scene *make_pyramid(int rows) { return scene_pyramid(rows, SPEED_H); }
static peers_scene *make_flat_wall(int wide) { return scene_wall(true, wide, 10, SPEED_H); }
static peers_scene *make_wall(int wide) { return scene_wall(false, wide, 10, SPEED_H); }
static peers_scene *make_polygons(int size) { (void)size; return scene_polygons(0, SPEED_H); }
static peers_scene *make_polyhedra(int size) { (void)size; return scene_polyhedra(0, SPEED_H); }
static peers_scene *make_flat_seam(int size) { (void)size; return scene_seam(true, 50, SPEED_H); }
static peers_scene *make_seam(int size) { (void)size; return scene_seam(false, 50, SPEED_H); }
static peers_scene *make_floor(int wide) { return scene_floor(wide, SPEED_H); }
static peers_scene *make_flight(int size) { return scene_flight(size, SPEED_H); }

/* 9-box stacks, columns, blocks and piles (both one island), pyramids and walls are the scenes of the engines' comparison. */
static const speed_scene speed_scenes[] = {
    { "9-box stack 2D", make_flat_stack, 9 },
    { "9-box stack 3D", make_stack, 9 },
    { "100 cubes, columns of 4", make_columns_of_4, 100 },
    { "400 cubes, columns of 4", make_columns_of_4, 400 },
    { "1000 cubes, columns of 4", make_columns_of_4, 1000 },
    { "4000 cubes, columns of 4", make_columns_of_4, 4000 },
    { "10000 cubes, columns of 4", make_columns_of_4, 10000 },
    { "100 cubes, columns of 10", make_columns_of_10, 100 },
    { "1000 cubes, columns of 10", make_columns_of_10, 1000 },
    { "block 5x5x4", make_block_of_4, 5 },
    { "block 10x10x4", make_block_of_4, 10 },
    { "block 10x10x10", make_block_of_10, 10 },
    { "100 cubes, pile", make_pile, 100 },
    { "400 cubes, pile", make_pile, 400 },
    { "1000 cubes, pile", make_pile, 1000 },
    { "pyramid 55, 2D", make_pyramid, 10 },
    { "pyramid 210, 2D", make_pyramid, 20 },
    { "pyramid 465, 2D", make_pyramid, 30 },
    { "wall 200, 2D", make_flat_wall, 20 },
    { "wall 100, 3D", make_wall, 10 },
    { "pour of 16, 2D", make_polygons, 16 },
    { "pour of 14, 3D", make_polyhedra, 14 },
    { "seam 2D", make_flat_seam, 1 },
    { "seam 3D", make_seam, 1 },
    { "floor of 100 tiles", make_floor, 10 },
    { "floor of 10000 tiles", make_floor, 100 },
    { "1000 cubes, flight", make_flight, 1000 },
    { "4000 cubes, flight", make_flight, 4000 },
    { "10000 cubes, flight", make_flight, 10000 },
};

enum { SPEED_SCENES = sizeof speed_scenes / sizeof speed_scenes[0] };

/* The settled window is the last second, or the last half of short runs. It begins here, in s. */
static inline double settled_start(const peers_scene *s) { return s->seconds - (s->seconds < 2 ? s->seconds / 2 : 1); }

/* When things have landed, in s: what the scene says, or where the settled window begins. */
static inline double landing_end(const peers_scene *s) { return s->landing[1] > 0 ? s->landing[1] : settled_start(s); }

/* The limit on a run's processor time, in s; that of small scenes is given. */
static inline int limit_of(int seconds, int bodies) { return seconds + seconds * (bodies / 1000); }

#endif
