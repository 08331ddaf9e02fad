/* The same scenes for every engine: what a scene is, what an engine must be able to do, and which scenes there are.
 *
 * A scene is plain data: bodies with mass, pose, velocity and friction, gravity, step size, duration. Planar scenes lie in
 * x and y with gravity along -y; engines that know no plane run them as prisms along z whose motion is confined to the
 * plane. Scenes in space have z up. Frames sit at centres of mass along principal axes. SI units. */
#ifndef PEERS_H
#define PEERS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- scenes ---- */

enum { PEERS_POINTS = 10 };

typedef enum peers_kind {
    PEERS_BOX,    /* half; in planar scenes a rectangle, half[2] is the depth of the prism */
    PEERS_SPHERE, /* radius; in planar scenes a disc */
    PEERS_HULL,   /* points: corners of a convex body; in planar scenes counter-clockwise, half[2] as for boxes */
    PEERS_PLANE   /* the half-space behind `position` with outward `normal`; always fixed */
} peers_kind;

typedef struct peers_state {
    double position[3];
    double turn[4]; /* quaternion w x y z, body to world */
    double velocity[3];
    double spin[3]; /* world axes */
} peers_state;

typedef struct peers_body {
    peers_kind kind;
    bool fixed;
    double mass, inertia[3];
    double friction; /* a pair has sqrt(a b) */
    double half[3], radius, normal[3];
    double points[PEERS_POINTS][3];
    int point_count;
    double rest; /* m, height of its centre when all has come to rest in order; 0: none that is known */
    double enters; /* s, when it appears; bodies stand in this order */
    peers_state start;
} peers_body;

typedef struct peers_scene {
    bool planar;
    double gravity[3];
    double h, seconds;
    double landing[2]; /* s, speed scenes: from when to when things land; the last second is the settled one */
    int body_count;
    peers_body *bodies;
} peers_scene;

peers_scene *scene_seam(bool planar, int phase, double h);
peers_scene *scene_tiles(bool planar, double friction, double h);
peers_scene *scene_stack(bool planar, int set, double friction, double h, double seconds);
peers_scene *scene_triangle(double turned, double h);
peers_scene *scene_polygons(double friction, double h);
peers_scene *scene_polyhedra(double friction, double h);
peers_scene *scene_momentum_row(double h);
peers_scene *scene_ramp(bool planar, double h);
peers_scene *scene_heavy_on_light(bool planar, double ratio, double h);
peers_scene *scene_launched_cube(bool planar, double h);
peers_scene *scene_sphere(bool planar, double h);
peers_scene *scene_columns(int cubes, int height, double h);
peers_scene *scene_block(int wide, int high, double h);
peers_scene *scene_flight(int cubes, double h);
peers_scene *scene_floor(int wide, double h);
peers_scene *scene_pile(int cubes, double h);
peers_scene *scene_pyramid(int rows, double h);
peers_scene *scene_wall(bool planar, int wide, int high, double h);
void scene_free(peers_scene *scene);

/* What the measures need to know of the scenes. */
enum { SEAM_PHASES = 100, STACK_SETS = 10, STACK_BOXES = 10 };
#define SEAM_HALF 0.1
#define SEAM_SPEED 2.0
#define TILES_HALF 0.25
#define TILES_SPEED 4.0
#define TILES_SIDE_SPEED 1.0 /* in space only */
#define HULL_BIN_HALF 0.5 /* inner half width of the box of polyhedra */
#define ROW_END_SPEED (3 / 3.67)
#define CUBE_HALF 0.05
#define CUBE_SPEED 6.0
#define CUBE_FRICTION 0.5

/* ---- engines ---- */

typedef struct peer {
    const char *name;
    bool in_space; /* false: planar scenes only */
    int variant;   /* for the engine's own use: which solver, which setting */
    void *(*open)(const peers_scene *scene, int variant); /* NULL: it cannot; the scene outlives the world */
    bool (*step)(void *world); /* one step of scene->h; false: it gave up */
    void (*read)(void *world, peers_state *states); /* (body_count) what has not entered yet is where it starts */
    void (*close)(void *world);
} peer;

/* Each ends with an entry without a name. */
extern const peer peers_dvc[];
extern const peer peers_ode[];
extern const peer peers_bullet[];
extern const peer peers_mujoco[];
extern const peer peers_dart[];
extern const peer peers_box2d[];
extern const peer peers_chipmunk[];

#ifdef __cplusplus
}
#endif

#endif
