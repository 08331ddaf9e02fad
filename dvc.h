/* dvc.h 0.10.0 - rigid bodies that move right at contacts. One C header. MIT licence, at the end of the file.

   What it is      A physics engine for people who need the right motion: robot controllers, planners, games whose stacks
                   must stand, researchers. Bodies, contacts and Coulomb friction are one complementarity problem per step
                   (Stewart and Trinkle), its contacts are exact for polytopes (Polytope Exact Geometry: nothing overlaps and
                   nothing is ever trapped by a face that is not there), and it is solved to rounding by solvers of its own.
   What it is not  A renderer, a scene format, an animation system. It does not allocate, print, lock, or keep a global. It
                   knows no soft bodies. It prefers a right answer to a fast wrong one: see COST for what large islands get.

   In one file of your program:     #define DVC_IMPLEMENTATION
                                    #include "dvc.h"
   In the others:                   #include "dvc.h"

   Quick start: a box falls on the ground. (This program is compiled and run by the tests.)

   >>quickstart
       #define DVC_IMPLEMENTATION
       #include "dvc.h"
       #include <stdio.h>

       int main(void)
       {
           dvc_body bodies[] = {
               { .kind = DVC_STATIC },
               { .mass = 1, .inertia = { 1 / 6., 1 / 6., 1 / 6. }, .position = { 0, 0, 2 } },
           };
           dvc_shape shapes[] = {
               { .kind = DVC_PLANE, .body = 0, .friction = 0.5, .normal = { 0, 0, 1 } },
               { .kind = DVC_BOX, .body = 1, .friction = 0.5, .half = { 0.5, 0.5, 0.5 } },
           };
           static dvc_contact contacts[64];
           static unsigned char scratch[1 << 18];
           dvc_world world = {
               .bodies = bodies, .body_count = 2, .shapes = shapes, .shape_count = 2,
               .contacts = contacts, .contact_capacity = 64,
               .scratch = scratch, .scratch_size = sizeof scratch, .gravity = { 0, 0, -9.81 },
           };
           for (int i = 0; i < 120; i++) {
               dvc_status status = dvc_step(&world, 1.0 / 60);
               if (status != DVC_OK) return puts(dvc_status_text(status)), 1;
           }
           return printf("height %.9f\n", (double)bodies[1].position.z) < 0;
       }
   <<quickstart

   CONTENTS (search for a tag: it names the section here, in the declarations, in the code, and its test file)

       >>config      macros, number type, version          >>pairs      which parts come near each other
       >>status      everything that can go wrong          >>facets     polytope exact geometry: facets of a pair
       >>polytope    convex hulls                          >>groups     a pair that is near becomes a disjunction
       >>body        bodies, free motion                   >>choose     which facet of a disjunction holds
       >>shape       shapes, mass from shapes              >>joint      joints, drives, springs, supports
       >>mesh        solids and mesh files                 >>islands    groups of bodies that touch
       >>lcp         complementarity problems, solvers     >>threads    pairs and islands shared among threads
       >>contact     contacts                              >>problem    points and links -> rows, matrix
       >>stages      stages of your own                    >>solve      choose, solve, check, flip, cut
       >>sleep       islands that nothing changes
       >>terrain     fixed shapes laid out once
       >>world       the world and its step                >>end        gaps and joints at the true end pose
       >>assemble    the problem of a step, for you        >>advance    an island over h, in parts if need be
       >>ask         distances, overlaps, rays, casts      >>models     contact models of the literature
       >>record      what happened, as a stream            >>foresight  bodies that went farther than foreseen
       >>inspect     energy, momentum, hash                >>store      results
       >>step        the whole step on one page            >>memory     the scratch arena
       >>data        what the stages hand to each other    >>math       numbers, vectors, rotations
                                                           >>check >>load >>parts

   CONVENTIONS

       Units are yours, if they are consistent; texts say SI. Axes are right-handed; which way is up is gravity's matter.
       Quaternions are scalar first and take body to world. Angular velocity, force and torque are in world axes. A planar
       world (planar = true) lives in x and y and turns about z.
       A gap > 0 is apart. A contact's normal points from body_a to body_b; its impulse is what body_b received.
       Zero is a sensible default everywhere: the comment at each field says which.
       Numbers have bounds, so that none overflows on the way: a length, speed, angle, time or plain number is at most
       DVC_LARGEST (1e15, float: 1e9), a mass, moment, force or stiffness at most DVC_HEAVIEST (1e60, float: 1e20); what must be
       more than 0 is at least one part of that. dvc_world_check tells which field is beyond. What a step puts out keeps to them,
       and is finite, or the step is an error.
       An index is a handle; -1 is none. Array order is yours, spare slots are allowed (`disabled`, or kind 0 for shapes and
       joints).

   MEMORY

       You own every array. bodies, shapes and pair_rules are read where they are; the step writes the motion of bodies that
       are not static, the contacts, and what joints and springs carry. What survives from step to step is in those arrays
       and in dvc_world: copy them and you have a snapshot, copy them back and the next step gives the same bits.
       Polytopes and polygon points must outlive
       the shapes that name them. `scratch` is working memory: it may be a different block in every step.
       A step takes about 0.7 KB of scratch per contact of capacity, 1.2 KB per body, 1.2 KB per shape (a box: its corners and
       normals, at the start and at the end), and for the largest island 0.8 KB per row (in space: 5 for a contact with 8
       directions of friction; in the plane 2). To that come the factor of an island, 0.6 KB per pair of bodies that touch and
       per pair that elimination fills in (planar worlds: 0.15 KB), and up to 30 n^2 bytes for n rows if a problem of up to 600
       rows must be pivoted. Nothing is quadratic in the bodies: dvc_contact is 136 bytes, dvc_body 240, dvc_shape 200.
       report.scratch_used tells exactly; with one byte less the step fails cleanly, tells report.scratch_needed, and has
       changed nothing. dvc_scratch_size is a bound. Threads share scratch and room for contacts evenly and take a bit over
       1 KB more each: where that leaves them too little, the step is done by one (at the cost of the attempt).
       A step needs at most 8 KB of stack on a 32-bit processor (Cortex-M7, gcc -Os: 7.0 KB in double, 5.1 in float), and 9 on
       x86-64; what else there is to call needs less. To that come your own functions. Nothing recurses without a bound: a step
       that is halved does so 4 deep, parentheses in a mesh file nest 32 deep.

   COST

       In instructions of x86-64, to be had again by `make bench-count`: a body in free flight 5 500 a step; a box on another, with
       4 contacts, 22 000 if they must be found: half of that goes into finding them, a tenth each into loading, the tree, a look
       at last step's impulses, and the end pose with its certificate. Loading, the tree (a curve through space, sorted by digits),
       free motion and results grow with the bodies, islands each with their own size. Of static shapes each costs 0.1 us a step: a
       look whether it is sound, and a box around it; the rest only if something comes near. Where there are thousands, a terrain
       (>>terrain) takes that away, too.
       *What rests* is looked at: where a step has left an island as it was, to the bit, and nothing has changed or comes near, the
       next step finds no contacts and solves nothing. It sums up whether what the contacts carry still bears the bodies, and
       reports that residual (>>sleep): 5 000 instructions a box. world.sleep leaves out that look, and saves a fifth.
       *What is set up or lands* in order hands its loads down (>>lcp, "what bears what"): two passes over the bodies, each one
       equation of 6 x 6, exact for stacks, walls, pyramids and blocks of any size; where it does not work out, little is lost.
       Else an island is solved by the *active set*: guess which rows hold, solve them as equations, check, guess again. In motion
       that is two to six rounds, and again at the end pose: thirty times what rest costs. Each round factors one block per body
       and pair of bodies that touch, bodies with few neighbours first: a stack, a wall or a pyramid costs in proportion to its
       bodies, a heap in space more (5 x 5 x 4 cubes: 50 000 products of 6 x 6 blocks). If the guesses lead nowhere, a problem of
       up to 600 rows is pivoted: exact, and cubic in its rows. In a larger one the rows are held near the impulses of the last
       step, the less the less is left to do (>>lcp): 5 to 200 rounds. If what is left does not fall, the problem is swept over the
       bodies, contact by contact (60 sweeps, each after a step along the way so far), and from there goes along the *inner path*:
       an interior point method, about twenty rounds with a factor each, that ends 1e-4 to 1e-9 off, or where friction lets it come
       to; from its end, if that is near, the rows are held once more. Sweeps that have nearly solved it leave the path out. Is it
       not exact then, two rounds of checks and of corrections at the end pose are all, and what follows in the step, but for half
       steps, is not tried exactly any more. Once such a heap hardly moves, it is asked whether it could stand as it is: a convex
       question, with an exact answer (>>problem, "what could rest"). A heap of 100 tumbled cubes takes some 30 ms a step until
       then, some seconds, and .4 from then on.
       An island of more than 256 bodies whose factor would take too long is only ever swept (`iterations`, or until `time_budget`
       is spent). How long tells a wave that runs through it from one end: the squares of its front, summed over the bodies.
       Pyramids of 60 rows and walls in space 15 bricks high are solved, heaps of more than 256 are not, nor blocks of more, unless
       their loads can be handed down; `direct_bodies` sets a plain limit instead. The cost is sweeps times contacts, about 45 ns
       each, and as much again to find contacts and measure. Facets are chosen as always, but not exchanged after a check, one
       correction at the end pose is all, and a fifth of what overlaps is made good in a step.
       report.residual tells how far off a step is, report.inexact counts it, world.strict refuses it; DVC_LEMKE as world.solver
       pivots whatever the size.
       Four directions of friction instead of eight save a quarter in motion; semi_implicit saves nothing at rest and up to half in
       motion. With DVC_OPENMP pairs are measured and islands advanced by as many threads as OpenMP has; loading, the tree and
       storing, about a fifth of the work, are not shared, nor is an island. The bits are those of one thread. Islands that rest
       are not handed over; boxes are so quickly measured that sharing pairs may cost as much as it gains.
       Where the time of a step goes is told by `make bench` scene by scene, and in your program by DVC_STAGE (>>config).

   ERRORS, CERTIFICATE, DETERMINISM

       dvc_step returns DVC_OK or an error with a text that tells what to do; on an error no array has changed.
       What a step could not do exactly is done by a documented fallback, never hidden: report.inexact counts it, and
       world.strict makes it an error. A problem that its solver fails on goes to a chain of others (>>lcp). If none solves
       it, the bodies are squeezed or jammed; then, one after the other: overlap that is there may stay; an island is redone in
       two half steps, up to four times over; slips, too, are measured where bodies end; bodies are pushed apart without
       friction; normal rows are made compliant by 1e-4, for which a solution always exists.
       Overlap that is there at the start (a spawned body) is undone no faster than at recovery_speed.
       report.energy_gain is the energy gained beyond what forces, motors, springs, given motions and moving surfaces have put in:
       what making errors of the start good has cost, and what turning contacts and joints gain, because a step is linear: to first
       order in h. An island that gains more than a hundredth of what is at work in it is redone in half steps.
       report.energy_excess is the energy gained beyond the exact bound. In a step with static surroundings, energy grows by
       at most the work of contacts that open while they push: sum of p_n max(0, G v), where G v = -gap / h for overlap that
       is made good, plus what the rotation of contact normals within the step adds; friction only takes, but for the part of
       the slip that is the gyroscopic turn of bodies with unequal moments. Newton's law of impact could gain energy where some
       contacts are struck and others only pressed: then the impacts of that step are inelastic, and report.fallbacks tells.
       Bodies at rest come to a state that steps leave as it is, to the bit: gaps of rounding (3e-15 of the bodies' coordinates)
       between bodies that hardly move are not made good, nor, in islands of more than 5 pairs that touch (planar: 25), gaps of
       5e-10 of their size between bodies that keep still, nor gaps of 1e-4 of their size in a heap of more than 600 rows that was
       not solved and could stand as it is; and speeds below 1e-10 of what gravity adds in a step are none.
       The same input gives the same bits: on every run, compiler, optimisation level and machine with IEEE arithmetic. The
       header forbids contraction to fused multiply-add for itself, and uses nothing of libm but the square root. Flags that spoil
       this are refused where the compiler tells of them; each step looks whether arithmetic is IEEE's, and returns
       DVC_ERROR_ARITHMETIC if it is not (clang's -ffp-contract=fast; a library that has the processor flush small numbers to 0).

   LITERATURE, cited by letter: W Williams 2014 (Polytope Exact Geometry), B Berard 2009 (daVinci Code), T Trinkle 2003,
   V the vibrating-plate paper, N lecture notes.

   CHANGES

       0.10.0 attempts that are given up leave nothing behind; small machines with strong motors cost what they should; contacts do
              not act from a distance; the energy that a step gains is told (report.energy_gain), and a step that gains more than a
              hundredth is redone in halves; residuals above the tolerance are counted as inexact, joint errors are among them;
              one bound on magnitudes (DVC_LARGEST); hulls hold all of their points; the literal model works in space
       0.9.0  what rests is looked at, not found again: a quarter of the time; loads are handed down: what lands in order is exact,
              however much of it there is; an edge on a face is one facet with it, and heaps of a hundred bodies come to rest.
              body.asleep is written in all worlds
       0.8.1  cubes that touch and fall in layers come to rest, few as well as hundreds; longest steps of heaps take a third
       0.8.0  terrains: fixed shapes by the thousand cost a step nothing; without one they cost half. The corrective model no longer
              takes a ball on a corner for a pair of edges. Pyramids of a thousand land exactly at any friction
       0.7.0  walls and pyramids of hundreds of bodies are solved exactly, and rest; dvc_scratch_size grows with the contacts
       0.6.1  contacts found at two thirds of the cost; sweeps in two thirds of the time, and they do not run away
       0.6.0  heaps go along an inner path and calm down; small complementarity problems in half the time; DVC_STAGE
       0.5.0  what rests is looked at, not solved; islands may sleep; a tree along a curve; large problems are never pivoted
       0.4.0  threads
       0.3.0  large islands: factors over the bodies, sweeps within a budget; a tree of boxes; recordings have format 2
       0.2.0  joints with drives and limits, springs, damping, supports (2.5D), restitution, stages of your own, meshes, questions
       0.1.0  first version: bodies, shapes, hulls, solvers, Polytope Exact Geometry at the end pose
*/
#ifndef DVC_H
#define DVC_H

/* ------------------------------------------------------------------------------------------------
 * >>config  macros, number type, version
 * ------------------------------------------------------------------------------------------------ */

/* Before this file is included you may define
 *
 *     DVC_IMPLEMENTATION           in one file: here is the code, too
 *     DVC_REAL                     double or float
 *     DVC_STATIC, or DVC_API       everything private to the file, or declared as you like
 *     DVC_ASSERT(condition)        internal invariants are checked by it
 *     DVC_SQRT(x)                  the square root of a double, correctly rounded
 *     DVC_ALLOW_FAST_MATH          arithmetic that is not IEEE's is not refused: no two machines give the same bits then, and
 *                                  nothing else that is promised is shown to hold
 *     DVC_OPENMP                   pairs and islands are shared among OpenMP's threads (-fopenmp)
 *     DVC_THREADS                  an expression: how many there are to share them among,
 *     DVC_PARALLEL(count, run, data)   and how: calls run(data, k) for 0 <= k < count, on whatever threads, run(data, 0) on the
 *                                  one that calls, and returns when all have returned
 *     DVC_STAGE(name)              called by the thread that called dvc_step where a stage of the step begins: "check", "load",
 *                                  "pairs" (the tree), "contacts", "islands", "solve", "end" (corrections at the end pose),
 *                                  "certify", "store". Between pairs the tree goes on; "solve" and "end" begin island by island,
 *                                  but where a world has several threads, all work on islands is one "solve". dvc_problem_build
 *                                  and dvc_problem_apply look for contacts, too, and tell of that alone
 */
#define DVC_VERSION 1000 /* major * 10000 + minor * 100 + patch */
#define DVC_VERSION_TEXT "0.10.0"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef DVC_REAL
#define DVC_REAL double
#endif

/* The type decides the names of all entry points, so that a float user and a double implementation do not link. */
#define DVCI_TYPE_double 64
#define DVCI_TYPE_float 32
#define DVCI_JOIN_(a, b) a##b
#define DVCI_JOIN(a, b) DVCI_JOIN_(a, b)
#if DVCI_JOIN(DVCI_TYPE_, DVC_REAL) == 64
#define DVCI_DOUBLE 1
#define DVCI_NAME(name) name
#elif DVCI_JOIN(DVCI_TYPE_, DVC_REAL) == 32
#define DVCI_DOUBLE 0
#define DVCI_NAME(name) DVCI_JOIN(name, _f32)
#else
#error "DVC_REAL must be float or double"
#endif

/* DVC_STATIC makes everything private to one file. It is read here and given back: it also names a kind of body. */
#ifdef DVC_STATIC
#undef DVC_STATIC
#ifndef DVC_API
#if defined(__GNUC__)
#define DVC_API __attribute__((unused)) static
#else
#define DVC_API static
#endif
#endif
#endif
#ifndef DVC_API
#define DVC_API extern
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef DVC_REAL dvc_real;

typedef struct dvc_world dvc_world;

typedef struct dvc_vec2 { dvc_real x, y; } dvc_vec2;
typedef struct dvc_vec3 { dvc_real x, y, z; } dvc_vec3;
typedef struct dvc_quat { dvc_real w, x, y, z; } dvc_quat; /* all zero means the identity wherever one is read */

/* Stands for "no bound" in a complementarity problem; any bound at least this large counts as none. The others bound the numbers of
 * a world: see CONVENTIONS. */
#if DVCI_DOUBLE
#define DVC_INFINITY ((dvc_real)1e300)
#define DVC_LARGEST ((dvc_real)1e15)
#define DVC_HEAVIEST ((dvc_real)1e60)
#else
#define DVC_INFINITY ((dvc_real)1e38)
#define DVC_LARGEST ((dvc_real)1e9)
#define DVC_HEAVIEST ((dvc_real)1e20)
#endif

/* ------------------------------------------------------------------------------------------------
 * >>status  one list of everything that can go wrong
 * ------------------------------------------------------------------------------------------------
 * Each line makes an enum value and its text; the tests provoke each of them. Texts say what to do.
 */
#define DVC_STATUS_LIST(X)                                                                                              \
    X(DVC_OK, "ok: done")                                                                                               \
    X(DVC_ERROR_NULL, "a required pointer is null: set bodies, and an array wherever its count is not 0")               \
    X(DVC_ERROR_COUNT, "a count or capacity is negative, above DVC_WORLD_MAX_COUNT, or contact_count above its capacity") \
    X(DVC_ERROR_STEP_SIZE, "the step size must be a positive number of seconds, at least 1 / DVC_LARGEST, and may not "  \
                           "lead beyond DVC_LARGEST")                                                                   \
    X(DVC_ERROR_OPTION, "an option of the world is out of range: see dvc_world for the allowed values of contact_model, " \
                        "solver, time_stepping, friction_directions, tangent_angle, epsilon, recovery_speed, tolerance, " \
                        "direct_bodies, iterations, time_budget, threads")                                              \
    X(DVC_ERROR_GRAVITY, "gravity is not finite, or beyond DVC_LARGEST")                                                \
    X(DVC_ERROR_BODY_KIND, "unknown kind of body")                                                                      \
    X(DVC_ERROR_BODY_MASS, "a dynamic body needs a mass > 0, from 1 / DVC_HEAVIEST to DVC_HEAVIEST: set mass, or call "  \
                           "dvc_body_mass_from_shapes")                                                                 \
    X(DVC_ERROR_BODY_INERTIA, "the principal moments must be all positive, from 1 / DVC_HEAVIEST to DVC_HEAVIEST, or "   \
                              "all 0 for a particle that does not turn")                                                \
    X(DVC_ERROR_BODY_STATE, "position, orientation or velocity of a body is not finite, or beyond DVC_LARGEST")         \
    X(DVC_ERROR_BODY_FORCE, "force or torque of a body is not finite, or beyond DVC_HEAVIEST")                          \
    X(DVC_ERROR_BODY_TILTED, "a body of a planar world is turned out of the plane: only w and z of its orientation "    \
                             "may differ from 0")                                                                       \
    X(DVC_ERROR_MOTION, "a motion function returned a pose that is not finite, or beyond DVC_LARGEST, or only reached "  \
                        "faster than that, or tilted in a planar world")                                                \
    X(DVC_ERROR_SHAPE_KIND, "unknown kind of shape, or one that this world (planar or not) does not have")              \
    X(DVC_ERROR_SHAPE_BODY, "a shape names a body that does not exist")                                                 \
    X(DVC_ERROR_SHAPE_POSE, "position, orientation or surface velocity of a shape is not finite, or beyond DVC_LARGEST") \
    X(DVC_ERROR_SHAPE_SIZE, "a shape needs sizes: half edges > 0 and a radius > 0, from 1 / DVC_LARGEST to DVC_LARGEST, " \
                            "or the radius 0")                                                                          \
    X(DVC_ERROR_SHAPE_FRICTION, "friction must be a number >= 0, at most DVC_LARGEST")                                  \
    X(DVC_ERROR_SHAPE_NORMAL, "a plane needs a normal that is finite and not 0, from 1 / DVC_LARGEST to DVC_LARGEST (in a " \
                              "planar world, in the plane)")                                                            \
    X(DVC_ERROR_SHAPE_POLYTOPE, "a polytope shape needs a polytope made by dvc_polytope_build")                         \
    X(DVC_ERROR_SHAPE_POLYGON, "a polygon needs at least 3 points, strictly convex, counter-clockwise, none beyond "    \
                               "DVC_LARGEST, and not all within 1 / DVC_LARGEST")                                       \
    X(DVC_ERROR_PAIR_RULE, "a pair rule names a body that does not exist, its friction is not a number >= 0, or its "   \
                           "friction_directions or tangent_angle are out of range")                                     \
    X(DVC_ERROR_JOINT_KIND, "unknown kind of joint")                                                                    \
    X(DVC_ERROR_JOINT_BODY, "a joint names a body that does not exist, or the same body twice")                         \
    X(DVC_ERROR_JOINT_FRAME, "anchor, axis or frame of a joint is not finite, or beyond DVC_LARGEST")                   \
    X(DVC_ERROR_JOINT_AXIS, "a joint's drive needs numbers, speed and position to DVC_LARGEST, force, friction and "    \
                            "effort >= 0 to DVC_HEAVIEST (effort may be DVC_INFINITY), and lower <= upper to "          \
                            "DVC_LARGEST, or -DVC_INFINITY and DVC_INFINITY, where it is limited")                      \
    X(DVC_ERROR_SPRING, "a spring names a body that does not exist, or the same one twice, or has a stiffness or "      \
                        "damping that is not 0 and not from 1 / DVC_HEAVIEST to DVC_HEAVIEST, or a length or anchor "   \
                        "that is not finite or beyond DVC_LARGEST")                                                     \
    X(DVC_ERROR_SUPPORT, "a support needs its body's centre of mass within its three points, none beyond DVC_LARGEST, " \
                         "friction >= 0, and a planar world")                                                           \
    X(DVC_ERROR_DAMPING, "damping of a body must be a number >= 0, at most DVC_LARGEST")                                \
    X(DVC_ERROR_RESTITUTION, "restitution must be between 0 and 1")                                                     \
    X(DVC_ERROR_STAGE, "a stage of your own does not fit: a collide function needs the model DVC_PEG, a solve function the " \
                       "solver DVC_AUTO; a contact added needs two shapes, an id >= 0, a unit normal, numbers that are " \
                       "finite, none beyond DVC_LARGEST")                                                               \
    X(DVC_ERROR_PROBLEM, "the solution does not fit the problem that the world poses now, or is not finite: build it again") \
    X(DVC_ERROR_SCRATCH, "scratch is too small: give report.scratch_needed bytes; dvc_scratch_size bounds it")          \
    X(DVC_ERROR_CONTACTS, "contacts is too small: give it room for report.contacts_needed entries")                     \
    X(DVC_ERROR_NOT_SOLVED, "the step was not solved to tolerance, or only by a fallback, and the world is strict: "    \
                            "see report.residual")                                                                      \
    X(DVC_ERROR_NOT_FINITE, "the step ended with numbers that are not finite, or with a body beyond DVC_LARGEST: "      \
                            "velocities, or ratios of masses, are too large; culprit tells the body, if it is one")     \
    X(DVC_ERROR_HULL_COUNT, "a hull needs at least 4 points and at most DVC_POLYTOPE_MAX_POINTS")                       \
    X(DVC_ERROR_HULL_NOT_FINITE, "a point of the cloud is not finite, or a coordinate is beyond DVC_LARGEST")           \
    X(DVC_ERROR_HULL_POINT, "all points of the cloud coincide, or it is smaller than 1 / DVC_LARGEST")                  \
    X(DVC_ERROR_HULL_LINE, "all points of the cloud lie on a line")                                                     \
    X(DVC_ERROR_HULL_FLAT, "all points of the cloud lie in a plane")                                                    \
    X(DVC_ERROR_HULL_OPEN, "the cloud lies so many of its sizes from its origin that rounding moves its faces: centre it") \
    X(DVC_ERROR_STORAGE, "storage is too small: ask dvc_polytope_size or dvc_terrain_size, or see "                     \
                         "recording.storage_needed")                                                                    \
    X(DVC_ERROR_MESH_NUMBER, "a mesh text has something that is no number, or one that is not finite: see mesh.line")   \
    X(DVC_ERROR_MESH_COUNT, "a mesh text has not as many vertices, faces or numbers in a line as it should: see "       \
                            "mesh.line")                                                                                \
    X(DVC_ERROR_MESH_INDEX, "a face names a vertex that does not exist, or vertices are not numbered in order: see "    \
                            "mesh.line")                                                                                \
    X(DVC_ERROR_MESH_ROOM, "a mesh has too little room: it needs vertex_count vertices and triangle_count triangles")   \
    X(DVC_ERROR_MESH_VERTEX, "a vertex of a mesh is not finite, or a coordinate is beyond DVC_LARGEST")                 \
    X(DVC_ERROR_MESH_SCRATCH, "scratch is too small: ask dvc_mesh_scratch_size")                                        \
    X(DVC_ERROR_MESH_OPEN, "a mesh is not closed: some edge has not exactly two triangles")                             \
    X(DVC_ERROR_MESH_TURNED, "neighbours in a mesh run along their edge in the same direction: one is inside out")      \
    X(DVC_ERROR_MESH_INWARD, "the volume of a mesh, or a moment, is not positive: its triangles must be counter-clockwise " \
                             "seen from outside")                                                                       \
    X(DVC_ERROR_MESH_FLAT, "a triangle of a mesh has a corner twice, or no area")                                       \
    X(DVC_ERROR_DENSITY, "density must be positive and finite, each shape must have a volume (a plane has none), and mass " \
                         "and moments must come out positive and at most DVC_HEAVIEST")                                 \
    X(DVC_ERROR_ASK_SHAPE, "a question names a shape that does not exist, or that is disabled, or whose body is")       \
    X(DVC_ERROR_ASK_NUMBER, "a position, orientation, way or margin in a question is not finite, beyond DVC_LARGEST, " \
                            "or turned out of the plane of a planar world")                                             \
    X(DVC_ERROR_LCP_INPUT, "the complementarity problem has a null pointer, a number that is not finite, or a lower "   \
                           "bound above the upper one; or there is no such method, or an option is out of range: see "  \
                           "dvc_lcp_options")                                                                           \
    X(DVC_ERROR_LCP_DIAGONAL, "this method divides by the diagonal, which has an entry that is not positive: use "      \
                              "DVC_LEMKE or DVC_AUTO")                                                                  \
    X(DVC_ERROR_LCP_LIMIT, "the iteration limit was reached before the tolerance: z holds the last iterate")            \
    X(DVC_ERROR_LCP_NOT_SOLVED, "the method ended without a solution; there may be one: try DVC_AUTO")                  \
    X(DVC_ERROR_LCP_INFEASIBLE, "the problem has no solution")                                        \
    X(DVC_ERROR_RECORD_ROOM, "the recorder's buffer is too small: give it recorder.needed bytes; see dvc_record_room")  \
    X(DVC_ERROR_RECORD_WRITE, "the recorder's write function failed: the recording ends here")                          \
    X(DVC_ERROR_RECORDING_MAGIC, "this is no recording of dvc.h: its first bytes are others")                           \
    X(DVC_ERROR_RECORDING_VERSION, "the recording has another version of the format: read it with the dvc.h of its "    \
                                   "time")                                                                              \
    X(DVC_ERROR_RECORDING_REAL, "the recording was made with another DVC_REAL: compile with the same one")              \
    X(DVC_ERROR_RECORDING_CUT, "the recording ends within a chunk: its first recording.frames frames can be read")      \
    X(DVC_ERROR_RECORDING_DAMAGED, "a chunk of the recording is damaged: the recording.frames frames before it can be " \
                                   "read")                                                                              \
    X(DVC_ERROR_RECORDING_FRAME, "there is no such frame: see recording.frames")                                        \
    X(DVC_ERROR_RECORDING_WORLD, "the world has not the arrays or points that were recorded: make it as then, or with " \
                                 "dvc_recording_world")                                                                 \
    X(DVC_ERROR_TERRAIN, "a terrain is of the first bodies and shapes of a world: all static, the shapes on these "     \
                         "bodies and no others on them; and for a world of the dimension it was built for")                 \
    X(DVC_ERROR_ARITHMETIC, "arithmetic is not IEEE's: compile dvc.h without -ffp-contract=fast, -freciprocal-math and "    \
                            "their like, and have the processor round to nearest and keep small numbers (no flush to zero)")                \
    X(DVC_ERROR_TOO_FAST, "forces, springs, drives or gravity would make a body faster than DVC_LARGEST, or carry it "  \
                          "beyond: they are too large for its mass and moments, or the step is too long; see culprit") \
    X(DVC_ERROR_TIME, "the world's time is not finite, or beyond DVC_LARGEST")

typedef enum dvc_status {
#define DVCI_STATUS_ENUM(name, text) name,
    DVC_STATUS_LIST(DVCI_STATUS_ENUM)
#undef DVCI_STATUS_ENUM
    DVC_STATUS_COUNT
} dvc_status;

/* ------------------------------------------------------------------------------------------------
 * >>polytope  convex polytopes: vertices, edges, faces (W 3.1)
 * ------------------------------------------------------------------------------------------------ */

#define DVC_POLYTOPE_MAX_POINTS 4096

/* An edge runs from `tail` to `head`, counter-clockwise around `face_1` (to its left, seen from outside) and clockwise
 * around `face_2`. `t1` and `t2` lie in the faces, perpendicular to the edge, and point into them (W 3.2). */
typedef struct dvc_edge {
    int tail, head;
    int face_1, face_2;
    dvc_vec3 t1, t2;
} dvc_edge;

/* A face is the polygon loops[first .. first + count - 1], counter-clockwise seen from outside; its points satisfy
 * dot(normal, p) == offset. */
typedef struct dvc_face {
    dvc_vec3 normal;
    dvc_real offset;
    int first, count;
} dvc_face;

/* Read-only once built, may be shared by any number of shapes and worlds. The arrays live in the storage that was given
 * to dvc_polytope_build, which must outlive every use. */
typedef struct dvc_polytope {
    int vertex_count, edge_count, face_count;
    const dvc_vec3 *vertices; /* (vertex_count) */
    const dvc_edge *edges;    /* (edge_count) */
    const dvc_face *faces;    /* (face_count) */
    const int *loops;         /* (2 edge_count) vertices of the faces, face after face */
    const int *around;        /* (2 edge_count) neighbours of the vertices, vertex after vertex */
    const int *around_first;  /* (vertex_count + 1) where a vertex's neighbours start in `around` */
    dvc_vec3 low, high;       /* bounding box */
    dvc_real inner;           /* distance from the mean of the vertices to the nearest face */
} dvc_polytope;

/* Bytes of storage that dvc_polytope_build needs for `count` points: result and working memory. 0 for a bad count. */
DVC_API size_t DVCI_NAME(dvc_polytope_size)(int count);
#define dvc_polytope_size DVCI_NAME(dvc_polytope_size)

/* The convex hull of a cloud of points. Points that are doubled, inside, or within 1e-9 of the cloud's size of a face or
 * edge are dropped; coplanar triangles become one face. On success `out` points into `storage`, no point of the cloud is in front
 * of any face by more than 1e-8 of the size (float: 1e-4), and a face's own points are as near to its plane. All clouds that are
 * not flat to 1e-9 have a hull, if they lie within a million of their sizes (float: ten) of the origin. */
DVC_API dvc_status DVCI_NAME(dvc_polytope_build)(const dvc_vec3 *points, int count, void *storage, size_t storage_size,
                                                 dvc_polytope *out);
#define dvc_polytope_build DVCI_NAME(dvc_polytope_build)

/* ------------------------------------------------------------------------------------------------
 * >>body  bodies
 * ------------------------------------------------------------------------------------------------ */

typedef enum dvc_body_kind {
    DVC_DYNAMIC = 0, /* moved by forces and contacts; needs mass > 0 */
    DVC_STATIC,      /* never moves */
    DVC_KINEMATIC    /* moves as told, whatever it hits */
} dvc_body_kind;

/* The pose of a kinematic body at time t. It finds the current pose filled in, may be called several times, with the
 * step's start and end and times between, and must be pure: the same t gives the same pose. */
typedef void (*dvc_motion)(void *user, dvc_real t, dvc_vec3 *position, dvc_quat *orientation);

/* Three points of a body of a planar world that carry it on the table it slides on (2.5D, B 3.3). Its weight, mass times
 * |gravity.z|, is shared among them as the centre of mass, which must lie within their triangle, demands; friction at each is
 * bounded by its share (B 3.24), so that a pushed body turns as it should. */
typedef struct dvc_support {
    dvc_vec2 points[3];        /* in the body's frame */
    dvc_real friction;         /* mu against the table */
} dvc_support;

/* A body's frame sits at its centre of mass, along its principal axes. The caller owns the array; the step writes
 * position, orientation, velocity and angular_velocity, and `asleep`, nothing else. */
typedef struct dvc_body {
    dvc_body_kind kind;
    bool disabled;             /* true: this slot is empty; its shapes are ignored */
    dvc_motion motion;         /* kinematic: pose as a function of time; none: it moves by its velocity */
    void *user;                /* handed to motion */
    dvc_real mass;             /* kg, > 0 for dynamic bodies; ignored otherwise */
    dvc_vec3 inertia;          /* kg m^2, principal moments; all 0: never turns; planar worlds read z only */
    dvc_vec3 position;         /* m, centre of mass in the world; planar worlds ignore z */
    dvc_quat orientation;      /* body to world, scalar first; all 0: identity; normalised by the step */
    dvc_vec3 velocity;         /* m/s, of the centre of mass */
    dvc_vec3 angular_velocity; /* rad/s, in world axes */
    dvc_vec3 force;            /* N, yours: read in every step, never written */
    dvc_vec3 torque;           /* N m about the centre of mass, world axes, yours */
    dvc_real linear_damping;   /* 1/s: a force -damping * mass * velocity */
    dvc_real angular_damping;  /* 1/s: the same for turning */
    const dvc_support *support; /* planar worlds: what the body stands on; none: it floats */
    uint64_t asleep;           /* the step's: mark of what keeps still (>>sleep), odd if a step left it so; 0 whenever you like */
} dvc_body;

/* Adds a force (world axes) at a point of the world to body->force and body->torque. (Of no body, NULL, this and the next ones do
 * nothing.) */
DVC_API void DVCI_NAME(dvc_body_apply)(dvc_body *body, dvc_vec3 force, dvc_vec3 point);
#define dvc_body_apply DVCI_NAME(dvc_body_apply)

/* The velocity of the body's material point that is now at `point`. */
DVC_API dvc_vec3 DVCI_NAME(dvc_point_velocity)(const dvc_body *body, dvc_vec3 point);
#define dvc_point_velocity DVCI_NAME(dvc_point_velocity)

/* A turn by `angle` (rad) about `axis` (any length but 0). An axis of 0, or an angle beyond DVC_LARGEST, gives the identity. */
DVC_API dvc_quat DVCI_NAME(dvc_quat_turn)(dvc_vec3 axis, dvc_real angle);
#define dvc_quat_turn DVCI_NAME(dvc_quat_turn)

/* The point `local` of a body's frame, in the world. */
DVC_API dvc_vec3 DVCI_NAME(dvc_body_point)(const dvc_body *body, dvc_vec3 local);
#define dvc_body_point DVCI_NAME(dvc_body_point)

/* ------------------------------------------------------------------------------------------------
 * >>shape  shapes on bodies
 * ------------------------------------------------------------------------------------------------ */

typedef enum dvc_shape_kind {
    DVC_NO_SHAPE = 0, /* an empty slot */
    DVC_SPHERE,       /* radius >= 0; radius 0 is a particle; a disc in planar worlds */
    DVC_PLANE,        /* the half-space behind the plane through `position` with outward `normal` */
    DVC_BOX,          /* half edges `half`; a rectangle in planar worlds (half.z ignored) */
    DVC_POLYTOPE,     /* 3D: `polytope` */
    DVC_POLYGON,      /* planar worlds: `points`, strictly convex, counter-clockwise */
    DVC_SHAPE_KIND_COUNT
} dvc_shape_kind;

/* Non-convex bodies are several shapes on one body, made to overlap each other a little. */
typedef struct dvc_shape {
    dvc_shape_kind kind;
    int body;                     /* index of its body */
    bool disabled;                /* true: this slot is empty */
    bool sensor;                  /* true: contacts are reported, no force acts */
    dvc_real friction;            /* mu >= 0; a pair uses sqrt(mu_a mu_b) */
    dvc_real restitution;         /* 0 .. 1, Newton's; a pair uses the larger; 0: impacts are inelastic */
    dvc_vec3 position;            /* in the body's frame */
    dvc_quat orientation;         /* shape to body; all 0: identity */
    dvc_vec3 normal;              /* plane: outward, any length but 0, in the shape's frame */
    dvc_vec3 half;                /* box: half edges, > 0 */
    dvc_real radius;              /* sphere */
    const dvc_polytope *polytope; /* polytope: yours, must outlive the shape */
    const dvc_vec2 *points;       /* polygon: yours, must outlive the shape */
    int point_count;
    dvc_vec3 surface_velocity;    /* m/s, in the shape's frame: a conveyor; the tangential part counts */
    uint32_t category;            /* bits; 0 counts as 1 */
    uint32_t ignore;              /* no contact with shapes whose category has one of these bits */
} dvc_shape;

/* Sets mass and inertia of a body from its shapes (uniform density, overlaps count twice) and moves the body's frame to
 * the centre of mass and principal axes; the shapes' local poses change so that they stay where they are in the world. Sensors
 * weigh nothing.
 * Axes that are already principal (products below 1e-12 of the trace), and equal moments, are left as they are. A polygon,
 * or a box with half.z == 0, makes the body planar: area times density, inertia.z only. */
DVC_API dvc_status DVCI_NAME(dvc_body_mass_from_shapes)(dvc_body *body, dvc_shape *shapes, int shape_count,
                                                        dvc_real density);
#define dvc_body_mass_from_shapes DVCI_NAME(dvc_body_mass_from_shapes)

/* The same for a body of a planar world, whatever its shapes: spheres are discs, boxes rectangles. */
DVC_API dvc_status DVCI_NAME(dvc_body_mass_from_shapes_planar)(dvc_body *body, dvc_shape *shapes, int shape_count,
                                                               dvc_real density);
#define dvc_body_mass_from_shapes_planar DVCI_NAME(dvc_body_mass_from_shapes_planar)

/* What two bodies do to each other where that differs from their shapes. At most one rule per pair of bodies counts (the
 * first). */
typedef struct dvc_pair_rule {
    int body_a, body_b;      /* in any order */
    bool ignore;             /* they pass through each other */
    bool set_friction;       /* true: use `friction` for this pair */
    dvc_real friction;
    int friction_directions; /* 0: the world's; at most DVC_MAX_FRICTION_DIRECTIONS */
    bool fixed_tangents;     /* true: use `tangent_angle` for this pair, whatever the world says */
    dvc_real tangent_angle;
    bool set_restitution;    /* true: use `restitution` for this pair */
    dvc_real restitution;
} dvc_pair_rule;

/* ------------------------------------------------------------------------------------------------
 * >>mesh  solids and mesh files
 * ------------------------------------------------------------------------------------------------
 * Points of the usual solids, centred at the centre of mass, ready for dvc_polytope_build, with volume and moments in closed
 * form. The functions ..._points return how many points there are; with points == NULL they only count; 0 is a bad argument.
 * Moments are for mass 1: multiply them by yours.
 */
typedef enum dvc_solid {
    DVC_TETRAHEDRON = 0,
    DVC_CUBE,
    DVC_OCTAHEDRON,
    DVC_DODECAHEDRON,
    DVC_ICOSAHEDRON,
    DVC_SOLID_COUNT
} dvc_solid;

#define DVC_SOLID_MAX_POINTS 20

/* The Platonic solid with this edge: corners (at most DVC_SOLID_MAX_POINTS), volume, and the moment about any axis. */
DVC_API int DVCI_NAME(dvc_solid_points)(dvc_solid solid, dvc_real edge, dvc_vec3 *points);
#define dvc_solid_points DVCI_NAME(dvc_solid_points)
DVC_API dvc_real DVCI_NAME(dvc_solid_volume)(dvc_solid solid, dvc_real edge);
#define dvc_solid_volume DVCI_NAME(dvc_solid_volume)
DVC_API dvc_real DVCI_NAME(dvc_solid_moment)(dvc_solid solid, dvc_real edge);
#define dvc_solid_moment DVCI_NAME(dvc_solid_moment)

/* The block with these half edges: 8 corners, and its principal moments. (A DVC_BOX shape needs neither.) */
DVC_API int DVCI_NAME(dvc_block_points)(dvc_vec3 half, dvc_vec3 *points);
#define dvc_block_points DVCI_NAME(dvc_block_points)
DVC_API dvc_vec3 DVCI_NAME(dvc_block_moments)(dvc_vec3 half);
#define dvc_block_moments DVCI_NAME(dvc_block_moments)

/* The regular prism whose corners lie on a round cylinder about z; the first one is on x. 3 <= sides <= half of
 * DVC_POLYTOPE_MAX_POINTS; 2 sides points. Volume and moments are the prism's own, exactly, which is also what
 * dvc_body_mass_from_shapes finds; with sides == 0 they are the round cylinder's. */
DVC_API int DVCI_NAME(dvc_cylinder_points)(int sides, dvc_real radius, dvc_real height, dvc_vec3 *points);
#define dvc_cylinder_points DVCI_NAME(dvc_cylinder_points)
DVC_API dvc_real DVCI_NAME(dvc_cylinder_volume)(int sides, dvc_real radius, dvc_real height);
#define dvc_cylinder_volume DVCI_NAME(dvc_cylinder_volume)
DVC_API dvc_vec3 DVCI_NAME(dvc_cylinder_moments)(int sides, dvc_real radius, dvc_real height);
#define dvc_cylinder_moments DVCI_NAME(dvc_cylinder_moments)

/* Triangles, counter-clockwise seen from outside. The arrays are yours. The readers count all there is and write
 * what there is room for: an array with capacity 0 is only counted; one that is too small gives DVC_ERROR_MESH_ROOM, with
 * both counts complete. So read once with no arrays, and again with arrays of vertex_count and triangle_count entries. */
typedef struct dvc_mesh {
    dvc_vec3 *vertices;    /* (vertex_capacity) */
    int vertex_capacity;
    int vertex_count;
    int (*triangles)[3];   /* (triangle_capacity) indices of vertices, from 0 */
    int triangle_capacity;
    int triangle_count;
    int line;              /* of the text, from 1: where a reader found an error; 0: none */
} dvc_mesh;

/* Reads a mesh from the text of a .poly file of RPI-MATLAB-Simulator: the number of vertices, the vertices, the number of
 * faces, the faces, each on a line of its own, and nothing else.
 *   Comments run from #, % or // to the end of the line; empty lines do not count. Numbers are parted by blanks or commas;
 *   [ ] ; = : and words are passed over, so that "8 vertices", "v 1 0 0" and "1 [0; 0; 1]" read as they are meant.
 *   Numbers may be expressions of + - * / ^ ( ) and sqrt(x): "(2/3)^0.5", "-1/(2*sqrt(6))"; exponents are multiples of 1/2.
 *   "1 -2" are two numbers, "1 - 2" and "1-2" are one. A name before a parenthesis, or letters behind a number, are errors.
 *   Vertices may be numbered (four numbers instead of three on every line), from 0 or from 1. Faces count vertices from 1,
 *   or from 0 if their numbers do or some face names vertex 0. Faces with more than three corners become fans of triangles.
 * The text needs no zero at its end, and is at most 1 GB. Decimal numbers of up to 19 digits are rounded correctly to
 * double, longer ones to within 0.51 of the last place; any locale. */
DVC_API dvc_status DVCI_NAME(dvc_mesh_read_poly)(const char *text, size_t size, dvc_mesh *mesh);
#define dvc_mesh_read_poly DVCI_NAME(dvc_mesh_read_poly)

/* The same from a Wavefront .obj file: its lines v and f (as a, a/t, a//n or a/t/n; negative ones count back from the last
 * vertex so far). All other lines are passed over. */
DVC_API dvc_status DVCI_NAME(dvc_mesh_read_obj)(const char *text, size_t size, dvc_mesh *mesh);
#define dvc_mesh_read_obj DVCI_NAME(dvc_mesh_read_obj)

/* What is wrong with a mesh. An edge of a sound one has two triangles, which run along it in opposite directions. */
typedef struct dvc_mesh_report {
    int open_edges;     /* have one triangle */
    int turned_edges;   /* have two, which run along it in the same direction */
    int crowded_edges;  /* have more than two */
    int flat_triangles; /* have a corner twice (their edges do not count), or a height below 1e-12 (float: 1e-6) of a side */
    dvc_real volume;    /* m^3; negative: inside out; means nothing while edges are open or turned */
} dvc_mesh_report;

/* DVC_OK if the mesh is closed, its triangles agree about outside and inside, and none is flat. Otherwise the first thing
 * that is wrong, in that order. `report` may be NULL. Whether the surface cuts itself is not looked at.
 * Needs dvc_mesh_scratch_size(mesh) bytes of scratch, any alignment. Work: triangles, times those around a vertex. */
DVC_API dvc_status DVCI_NAME(dvc_mesh_check)(const dvc_mesh *mesh, void *scratch, size_t scratch_size, dvc_mesh_report *report);
#define dvc_mesh_check DVCI_NAME(dvc_mesh_check)
DVC_API size_t DVCI_NAME(dvc_mesh_scratch_size)(const dvc_mesh *mesh);
#define dvc_mesh_scratch_size DVCI_NAME(dvc_mesh_scratch_size)

/* True if no vertex is in front of a triangle by more than 1e-9 (float: 1e-5) of the mesh's size: a closed mesh is then
 * convex, and dvc_polytope_build makes the same solid from its vertices. Work: vertices times triangles. */
DVC_API bool DVCI_NAME(dvc_mesh_is_convex)(const dvc_mesh *mesh);
#define dvc_mesh_is_convex DVCI_NAME(dvc_mesh_is_convex)

/* Of a closed mesh filled with density 1, exactly: it need not be convex. Its body has mass density * volume, inertia
 * density * moments, position `centre` and orientation `axes` in the frame of the mesh. */
typedef struct dvc_mass {
    dvc_real volume;
    dvc_vec3 centre;
    dvc_vec3 inertia[3]; /* rows of the tensor about the centre, along the axes of the mesh */
    dvc_vec3 moments;    /* the principal ones */
    dvc_quat axes;       /* the principal axes: identity if those of the mesh are principal */
} dvc_mass;

DVC_API dvc_status DVCI_NAME(dvc_mesh_mass)(const dvc_mesh *mesh, dvc_mass *out);
#define dvc_mesh_mass DVCI_NAME(dvc_mesh_mass)

/* ------------------------------------------------------------------------------------------------
 * >>lcp  complementarity problems and their solvers, usable alone
 * ------------------------------------------------------------------------------------------------
 * Find z with w = A z + b and, for each i, one of
 *     z_i = lower_i and w_i >= 0,     lower_i < z_i < upper_i and w_i = 0,     z_i = upper_i and w_i <= 0.
 * lower == NULL means 0, upper == NULL means none: the linear complementarity problem 0 <= w = A z + b, z >= 0, w'z = 0.
 */
typedef struct dvc_lcp {
    int n;
    const dvc_real *A;     /* (n x n) row by row */
    const dvc_real *b;     /* (n) */
    const dvc_real *lower; /* (n) or NULL; -DVC_INFINITY for none */
    const dvc_real *upper; /* (n) or NULL; DVC_INFINITY for none */
} dvc_lcp;

typedef enum dvc_solver {
    DVC_AUTO = 0,       /* the robust chain: active set, pivoting with several covering vectors */
    DVC_LEMKE,          /* pivoting along Lemke's path */
    DVC_PGS,            /* projected Gauss-Seidel */
    DVC_PSOR,           /* projected successive over-relaxation */
    DVC_JACOBI,         /* projected Jacobi, damped */
    DVC_PROX,           /* fixed point z = project(z - r w) with one r for all rows */
    DVC_INTERIOR_POINT, /* primal-dual path following */
    DVC_FISCHER_NEWTON, /* damped semismooth Newton on the Fischer-Burmeister function */
    DVC_MINMAP_NEWTON,  /* semismooth Newton on min(z, w): an active set method */
    DVC_SOLVER_COUNT
} dvc_solver;

/* All zero is a sensible default. None may be negative, or not finite. */
typedef struct dvc_lcp_options {
    dvc_real tolerance;  /* residual at which z counts as a solution; 0: 1e-9 (float: 1e-4) */
    int max_iterations;  /* 0: by method (pivots 50 + 20 n, with DVC_AUTO 250 + 5 n a try; sweeps 1000; Newton steps 100) */
    dvc_real relaxation; /* PSOR's factor, 0 < f < 2, 0: 1.3; Jacobi's damping, 0: 0.5 */
    dvc_real scale;      /* what residuals are divided by; 0: the largest |b_i| of the scaled problem */
} dvc_lcp_options;

typedef struct dvc_lcp_report {
    dvc_status status;   /* DVC_OK: residual <= tolerance */
    dvc_real residual;   /* recomputed from A, b and z, whatever the method thinks: see dvc_lcp_residual */
    int iterations;      /* pivots, sweeps or Newton steps, over all attempts */
    int attempts;        /* DVC_AUTO: how many methods or covering vectors were tried */
    dvc_solver solved_by; /* the method whose z is returned */
} dvc_lcp_report;

/* Solves with one method. `z` (n) is the start for the iterative methods and always receives the best iterate; options
 * may be NULL. Needs dvc_lcp_scratch_size(method, n) bytes of scratch, any alignment, contents irrelevant. */
DVC_API dvc_lcp_report DVCI_NAME(dvc_lcp_solve)(dvc_solver method, const dvc_lcp *lcp, const dvc_lcp_options *options,
                                                dvc_real *z, void *scratch, size_t scratch_size);
#define dvc_lcp_solve DVCI_NAME(dvc_lcp_solve)

/* 0: no such method, or an n below 0 or beyond 2^26. */
DVC_API size_t DVCI_NAME(dvc_lcp_scratch_size)(dvc_solver method, int n);
#define dvc_lcp_scratch_size DVCI_NAME(dvc_lcp_scratch_size)

/* max_i |z_i - clamp(z_i - w_i, lower_i, upper_i)| in scaled variables, divided by options->scale: each z is measured in
 * units of its w through the diagonal, rows without a diagonal through the column they push on, so that in contact
 * problems all rows read as velocities. Scratch as for DVC_AUTO; infinity (DVC_INFINITY) if something is not finite. */
DVC_API dvc_real DVCI_NAME(dvc_lcp_residual)(const dvc_lcp *lcp, const dvc_lcp_options *options, const dvc_real *z,
                                             void *scratch, size_t scratch_size);
#define dvc_lcp_residual DVCI_NAME(dvc_lcp_residual)

DVC_API const char *DVCI_NAME(dvc_solver_name)(dvc_solver method);
#define dvc_solver_name DVCI_NAME(dvc_solver_name)

/* ------------------------------------------------------------------------------------------------
 * >>contact  contacts
 * ------------------------------------------------------------------------------------------------ */

/* A feature of a shape: its kind and index. Stable from step to step. A sphere is vertex 0, a half-space face 0. */
typedef uint32_t dvc_feature;
#define DVC_VERTEX 0u
#define DVC_EDGE 1u
#define DVC_FACE 2u
#define DVC_FEATURE(kind, index) ((dvc_feature)(kind) << 30 | (dvc_feature)(index))
#define DVC_FEATURE_KIND(feature) ((feature) >> 30)
#define DVC_FEATURE_INDEX(feature) ((int)((feature) & 0x3fffffffu))

/* How pairs of parts that are near become constraints. */
typedef enum dvc_contact_model {
    DVC_PEG = 0,    /* one disjunction over facets per pair of convex parts */
    DVC_STANDARD,   /* every near contact is a unilateral constraint: traps at corners (for comparison) */
    DVC_LNC,        /* locally non-convex: one disjunction per vertex (for comparison) */
    DVC_CORRECTIVE, /* only what overlaps already is pushed apart, one contact per pair (for comparison) */
    DVC_PEG_LITERAL, /* W's constraints between single features, as one large problem (for comparison); a step that gains energy, or
                        overlaps by more than its turn explains, is inexact */
    DVC_CONTACT_MODEL_COUNT
} dvc_contact_model;

/* What a pair of shapes did in the last step, the same in all its contacts. Touching is pushing, or, for sensors, overlap. */
typedef enum dvc_phase {
    DVC_NEAR = 0, /* does not touch */
    DVC_BEGAN,    /* touches, and did not in the step before */
    DVC_STAYS,    /* touches, as in the step before */
    DVC_ENDED     /* touched in the step before; listed once more even where the shapes are far apart now */
} dvc_phase;

/* One elementary contact of the last step: written by the step, read by the next one for its warm start. Sorted by shapes.
 * Alternatives: contacts with the same `group` belong to one disjunction; of its facets one is `chosen`, and all contacts
 * of the chosen facet hold at once. The others are listed with their gaps and carry no impulse. */
typedef struct dvc_contact {
    int body_a, body_b;
    int shape_a, shape_b;             /* shape_a < shape_b */
    dvc_feature feature_a, feature_b;
    int group;                        /* counts up from 0 in each step */
    int facet;                        /* counts up from 0 in each group */
    bool chosen;                      /* this contact was enforced */
    bool sensor;                      /* overlap is reported, no force acts */
    dvc_phase phase;                  /* of the pair of shapes */
    uint32_t warm;                    /* the solver's: where friction and normal ended */
    dvc_vec3 point;                   /* where it is, in the world: at the step's end, of semi-implicit steps at its start */
    dvc_vec3 normal;                  /* unit, from body_a to body_b, there */
    dvc_real gap;                     /* > 0: apart; at the step's end */
    dvc_vec3 impulse;                 /* N s, of the whole step on body_b; body_a received the opposite */
    dvc_vec3 moment;                  /* N m s, beside that of the impulse at the point, as contacts move within a step */
    dvc_real normal_impulse;          /* the sum of its parts along the normals of the step, >= 0 */
} dvc_contact;

/* ------------------------------------------------------------------------------------------------
 * >>joint  joints, drives, springs
 * ------------------------------------------------------------------------------------------------ */

typedef enum dvc_joint_kind {
    DVC_NO_JOINT = 0, /* an empty slot */
    DVC_FIXED,
    DVC_REVOLUTE,
    DVC_PRISMATIC,
    DVC_CYLINDRICAL,
    DVC_SPHERICAL,
    DVC_JOINT_KIND_COUNT
} dvc_joint_kind;

/* One freedom of a joint: the turn about its axis, or the slide along it. All zero: free. */
typedef struct dvc_axis {
    bool limited;          /* true: lower <= position <= upper */
    dvc_real lower, upper; /* rad or m; -DVC_INFINITY, DVC_INFINITY: none on this side */
    dvc_real speed;        /* a motor's: rad/s or m/s that it seeks */
    dvc_real effort;       /* N m or N, the most a motor gives either way; 0: no motor; DVC_INFINITY: whatever it takes */
    dvc_real friction;     /* N m or N, the most with which dry friction resists (T 16, 38) */
    dvc_real force;        /* N m or N along the axis, on body_b, yours: read in every step, never written */
    dvc_real position;     /* rad, counting on past full turns, or m; written by the step and by dvc_joint_attach */
    dvc_real velocity;     /* rad/s or m/s, written by the step */
    dvc_real impulse;      /* of motor, friction and limits in the last step, on body_b */
} dvc_axis;

/* The bodies' frames of the joint stay in the relation its kind tells; the step solves this together with the contacts, at
 * the end pose. `dvc_joint_attach` fills it from a point and an axis of the world. */
typedef struct dvc_joint {
    dvc_joint_kind kind;
    int body_a, body_b;
    bool disabled;               /* true: this slot is empty */
    bool collide;                /* false: the two bodies do not collide with each other */
    dvc_vec3 anchor_a, anchor_b; /* the joint's point, in the frames of the bodies */
    dvc_quat frame_a, frame_b;   /* joint frame to body; z is the axis; all 0: identity */
    dvc_axis turn;               /* revolute and cylindrical joints have it: body_b against body_a, about z */
    dvc_axis slide;              /* prismatic and cylindrical joints have it: along z */
    dvc_vec3 impulse;            /* N s, of the whole joint in the last step, on body_b at its anchor, world axes */
    dvc_vec3 angular_impulse;    /* N m s, the same about the anchor */
    uint32_t warm;               /* the solver's */
} dvc_joint;

/* Fills `joint` so that the bodies are joined as they now lie, at a point of the world and about or along an axis of it
 * (any length; spherical and fixed joints use it only for their frames; 0 counts as z). All drives are off, positions 0. */
DVC_API dvc_status DVCI_NAME(dvc_joint_attach)(const dvc_world *world, dvc_joint_kind kind, int body_a, int body_b,
                                               dvc_vec3 anchor, dvc_vec3 axis, dvc_joint *joint);
#define dvc_joint_attach DVCI_NAME(dvc_joint_attach)

/* How far the joint is from holding where the bodies are: the larger of m and rad. 0 if there is none, or it is not sound. */
DVC_API dvc_real DVCI_NAME(dvc_joint_error)(const dvc_world *world, int joint);
#define dvc_joint_error DVCI_NAME(dvc_joint_error)

/* A spring and damper between two points of bodies. It acts along the line between them. */
typedef struct dvc_spring {
    int body_a, body_b;
    bool disabled;
    dvc_vec3 anchor_a, anchor_b; /* in the frames of the bodies */
    dvc_real length;             /* m, at which it does not pull */
    dvc_real stiffness;          /* N/m; any: it does not limit the step */
    dvc_real damping;            /* N s/m */
    dvc_real force;              /* N, mean of the last step, > 0 pulls together; written by the step */
} dvc_spring;

/* ------------------------------------------------------------------------------------------------
 * >>stages  stages of the step that you may replace
 * ------------------------------------------------------------------------------------------------ */

/* Your own collision stage: it is asked for the contacts that may act in this step, and names them with dvc_contact_add; the
 * built-in stage does not run. Their gaps are followed to the end pose along the normals you give. */
typedef struct dvc_collector dvc_collector;
typedef void (*dvc_collide)(void *user, const dvc_world *world, dvc_real h, dvc_collector *out);

/* One contact between two shapes: where it is (world), its unit normal from shape_a's body to shape_b's, its gap, and a number
 * that tells it from other contacts of the same shapes and is the same in the next step (for the warm start). */
DVC_API dvc_status DVCI_NAME(dvc_contact_add)(dvc_collector *out, int shape_a, int shape_b, int id, dvc_vec3 point,
                                              dvc_vec3 normal, dvc_real gap);
#define dvc_contact_add DVCI_NAME(dvc_contact_add)

/* Your own solver: finds z for a problem in the literal form of dvc_problem_build, with bounds where there are joints. What it
 * returns is checked like any other solution: if it does not solve the problem, the built-in chain does, and report.fallbacks
 * tells. */
typedef dvc_status (*dvc_solve)(void *user, const dvc_lcp *lcp, dvc_real *z);

/* ------------------------------------------------------------------------------------------------
 * >>terrain  fixed shapes laid out once
 * ------------------------------------------------------------------------------------------------
 * A fixed shape costs a step 0.1 us, though nothing be near it. Where there are thousands, let their bodies and shapes be the
 * first of the arrays, and build a terrain of them: then a step looks at those only that something comes near, and its results are
 * the same to the bit. It is a promise: whoever changes one of these bodies or shapes, or moves their points, builds it again.
 *
 *     dvc_terrain terrain;
 *     size_t size = dvc_terrain_size(&world, bodies, shapes);
 *     status = dvc_terrain_build(&world, bodies, shapes, malloc(size), size, &terrain);
 *     world.terrain = &terrain;
 */

/* Read only once built; may be shared by worlds that begin with the same bodies and shapes. */
typedef struct dvc_terrain {
    int body_count, shape_count; /* the first ones of the world's arrays */
    const void *layout;          /* in the storage given */
} dvc_terrain;

/* Bytes of storage for a terrain of the world's first bodies and shapes; 0: dvc_terrain_build tells why there is none. */
DVC_API size_t DVCI_NAME(dvc_terrain_size)(const dvc_world *world, int body_count, int shape_count);
#define dvc_terrain_size DVCI_NAME(dvc_terrain_size)

/* After an error `world->culprit` tells which body or shape it is. The storage must outlive the terrain. */
DVC_API dvc_status DVCI_NAME(dvc_terrain_build)(dvc_world *world, int body_count, int shape_count, void *storage,
                                                size_t storage_size, dvc_terrain *out);
#define dvc_terrain_build DVCI_NAME(dvc_terrain_build)

/* ------------------------------------------------------------------------------------------------
 * >>world  the world and its step
 * ------------------------------------------------------------------------------------------------ */

typedef enum dvc_time_stepping {
    DVC_STEWART_TRINKLE = 0, /* gaps hold at the step's end; overlap and distance are made good: psi / h */
    DVC_ANITESCU_POTRA,      /* only touching contacts, only velocities: overlap stays as it is */
    DVC_TIME_STEPPING_COUNT
} dvc_time_stepping;

/* The step's certificate. */
typedef struct dvc_report {
    dvc_real residual;      /* worst complementarity residual of all problems solved, in units of V = g h + fastest speed */
    int iterations;         /* pivots, sweeps and Newton steps */
    dvc_real worst_gap;     /* m, most negative gap of a contact that was to hold, at the end; 0 if none overlaps */
    dvc_real energy_excess; /* J, energy gained beyond the exact bound: see the manual; 0 if none */
    dvc_real energy_gain;   /* J, energy gained beyond what forces, motors, springs and given motions put in; 0 if none */
    int inexact;            /* disjunctions and problems left unsatisfied, or solved only by a fallback */
    int fallbacks;          /* problems solved by a fallback (see `inexact`) or by another method than asked */
    int islands;            /* groups of bodies that touch */
    int contacts;           /* contacts listed */
    int enforced;           /* contacts that were constraints */
    int disjunctions;       /* groups with more than one facet */
    int problems;           /* complementarity problems solved */
    int largest_problem;    /* unknowns of the largest */
    int flips;              /* facets exchanged after a check */
    int cuts;               /* contacts added after a check */
    int corrections;        /* problems solved again at the end pose */
    int halvings;           /* islands redone in two half steps */
    int stiffened;          /* bodies that got added inertia, because joints pull them harder than a step can follow */
    int repeats;            /* times the step was begun again for contacts it had not foreseen */
    int contacts_needed;    /* entries the contact array needs for this step */
    size_t scratch_used;    /* bytes: this step succeeds with exactly these */
    size_t scratch_needed;  /* after DVC_ERROR_SCRATCH: what the step knew it needs when it stopped */
} dvc_report;

/* Seconds, from any time on. */
typedef double (*dvc_clock)(void *user);

/* Called by dvc_step before anything else: may set forces, motors, whatever is the caller's. */
typedef void (*dvc_before_step)(void *user, dvc_world *world, dvc_real h);

/* No array of a world may have more entries, no contact more directions of friction: so that no product of counts overflows. */
#define DVC_WORLD_MAX_COUNT (1 << 26)
#define DVC_MAX_FRICTION_DIRECTIONS 1024

/* Plain data: fill it, keep it, copy it. Everything that survives from step to step is in here and in the caller's
 * arrays. Zero means the default everywhere. */
struct dvc_world {
    dvc_body *bodies;              /* (body_count) */
    int body_count;
    dvc_shape *shapes;             /* (shape_count) read only */
    int shape_count;
    const dvc_terrain *terrain;    /* of the first of them, if set: see >>terrain */
    dvc_joint *joints;             /* (joint_count) */
    int joint_count;
    dvc_spring *springs;           /* (spring_count) */
    int spring_count;
    dvc_contact *contacts;         /* (contact_capacity) of the last step; keep them for a warm start */
    int contact_capacity;
    int contact_count;
    const dvc_pair_rule *pair_rules; /* (pair_rule_count) */
    int pair_rule_count;
    void *scratch;                 /* working memory of a step; carries nothing over; any alignment */
    size_t scratch_size;
    dvc_vec3 gravity;              /* m/s^2; planar worlds: z presses bodies with a support on the table */
    bool planar;                   /* motion in x and y, turns about z */
    dvc_contact_model contact_model;
    dvc_solver solver;             /* DVC_AUTO is fit for everything */
    dvc_time_stepping time_stepping;
    bool semi_implicit;            /* true: geometry frozen at the step's start, as in the literature */
    bool correct_joints;           /* semi_implicit worlds: joints are set right after the step (W, Algorithm 1); costs energy */
    bool strict;                   /* true: a step that is not exact is an error and changes nothing */
    bool sleep;                    /* true: what rests is not even looked at, whatever model and solver: see >>sleep */
    int friction_directions;       /* even ones are cheapest; 0: 8 in 3D; planar worlds have 2; at most
                                      DVC_MAX_FRICTION_DIRECTIONS */
    bool fixed_tangents;           /* false: the first friction direction opposes the slip of each contact */
    dvc_real tangent_angle;        /* fixed tangents: angle (rad) of the first one from x laid into the contact plane */
    dvc_real epsilon;              /* m, distance at which contacts are foreseen, if motion does not ask for more; 0: from the motion */
    dvc_real recovery_speed;       /* m/s, the most at which overlap is undone; 0: from gravity and sizes */
    dvc_real tolerance;            /* residual of a solution, at least 1 / DVC_LARGEST; 0: 1e-9 (float: 1e-4) */
    int direct_bodies;             /* an island of more bodies is only swept, not solved to the end; 0: of more than 256, unless
                                      they are in order, as in a wall or a pyramid: see COST */
    int iterations;                /* sweeps over such an island, at most; 0: 20 */
    double time_budget;            /* s by `clock`, after which sweeps stop, and rounds of what is too large to pivot; 0: none.
                                      No two runs are the same then */
    dvc_clock clock;               /* yours; none: no budget */
    int threads;                   /* with DVC_OPENMP: at most so many; 0: as many as OpenMP would take */
    dvc_before_step before_step;   /* called first in every step, if set: controllers are written there */
    dvc_collide collide;           /* your own collision stage, if set: see >>stages */
    dvc_solve solve;               /* your own solver, if set: see >>stages */
    void *user;                    /* handed to all of these */
    double time;                   /* s, advanced by the step */
    int culprit;                   /* after an error: index of the offending body, shape, joint or rule; else -1 */
    dvc_report report;
};

/* Advances the world by h seconds, or returns an error and changes nothing but report and culprit. */
DVC_API dvc_status DVCI_NAME(dvc_step)(dvc_world *world, dvc_real h);
#define dvc_step DVCI_NAME(dvc_step)

/* The error that dvc_step would give for bad input, before the first step; sets culprit. */
DVC_API dvc_status DVCI_NAME(dvc_world_check)(dvc_world *world);
#define dvc_world_check DVCI_NAME(dvc_world_check)

/* Bytes of scratch that suffice for any step of a world with these arrays, however its bodies lie: a generous bound, 12 to 18 KB
 * per contact of capacity and more for the factor. With a solver other than DVC_AUTO, or another model than DVC_PEG, it grows with
 * the square of contact_capacity. report.scratch_used tells what a step really took; dvc_problem_build takes n^2 numbers twice.
 * 0: counts, pointers or indices are such as dvc_world_check refuses; (size_t)-1: more than there can be. */
DVC_API size_t DVCI_NAME(dvc_scratch_size)(const dvc_world *world);
#define dvc_scratch_size DVCI_NAME(dvc_scratch_size)

DVC_API const char *DVCI_NAME(dvc_status_text)(dvc_status status);
#define dvc_status_text DVCI_NAME(dvc_status_text)

/* ------------------------------------------------------------------------------------------------
 * >>assemble  the complementarity problem of a step, for the caller
 * ------------------------------------------------------------------------------------------------
 * 0 <= A z + b, z >= 0, z'(A z + b) = 0, literally as Stewart and Trinkle have it (W 2.34-2.39): for each contact a normal
 * row, one row for each of its nd friction directions, and one for the cone, mu p_n - sum beta: n = m (2 + nd) with
 * friction, m without. Facets are chosen, geometry is that of the step's start.
 */
typedef struct dvc_problem {
    int n;
    const dvc_real *A;       /* (n x n) row by row */
    const dvc_real *b;       /* (n) */
    const dvc_real *lower;   /* (n) 0 in contacts' rows; bounds of the impulses of joints, springs and supports */
    const dvc_real *upper;   /* (n) DVC_INFINITY in contacts' rows */
    int width;               /* 6 (v, w in world axes), planar worlds 3 (vx, vy, wz) */
    const dvc_real *rows;    /* (n x 2 width) Jacobians: what a row's force does to body_a, then to body_b; 0 in cone rows */
    const int *row_body;     /* (2 n) body_a and body_b of each row, -1: not dynamic */
    const int *row_contact;  /* (n) counts up from 0 in the order of dvc_world.contacts after a step; -1: not a contact's */
    const int *row_joint;    /* (n) index of the joint, -1: not a joint's */
    int body_count;
    const int *bodies;       /* (body_count) dynamic bodies */
    const dvc_real *mass;    /* (body_count x width) diagonal of the mass matrix: mass, and moments in the body's axes */
    const dvc_real *free_velocity; /* (body_count x width) with forces, without contacts: v and the mean turn over the step */
} dvc_problem;

/* The problem that dvc_step(world, h) would begin with. The arrays lie in world->scratch until it is used again; the world
 * is not changed but for report and culprit. */
DVC_API dvc_status DVCI_NAME(dvc_problem_build)(dvc_world *world, dvc_real h, dvc_problem *out);
#define dvc_problem_build DVCI_NAME(dvc_problem_build)

/* Takes the step with impulses z (n), your solution of what dvc_problem_build(world, h) gave: geometry stays that of the step's
 * start, as in a semi_implicit world. report.residual tells how well z solves the problem; if not to tolerance,
 * report.inexact is set. */
DVC_API dvc_status DVCI_NAME(dvc_problem_apply)(dvc_world *world, dvc_real h, const dvc_real *z, int n);
#define dvc_problem_apply DVCI_NAME(dvc_problem_apply)

/* ------------------------------------------------------------------------------------------------
 * >>ask  distances, overlaps, rays, casts
 * ------------------------------------------------------------------------------------------------
 * Questions about where things are: bodies at the poses in their fields, shapes that are disabled or empty not at all. They
 * change nothing but `culprit` and, where scratch is too small, report.scratch_needed. The parts asked about are laid out in
 * world->scratch (what lay there is lost): per pair about 1 KB, for polytopes and polygons 100 bytes per vertex of the two.
 * Rays take none. To ask from several threads, give each a copy of the dvc_world (not of its arrays) with its own scratch.
 *
 * A probe is a shape that need not be in the world; its `body` is not read, its category and ignore masks count as always.
 * A ray or a cast goes along the vector `way`; t is the part of it that is covered, 0 .. 1.
 */

/* How two shapes lie to each other. Apart: the closest points. Overlapping: moving one of them by -distance along the normal is
 * the shortest way to part them, and then the two points touch. Two half-spaces that no motion parts are -DVC_INFINITY apart. */
typedef struct dvc_gap {
    dvc_real distance;                /* m, > 0: apart; < 0: depth of the overlap */
    dvc_vec3 point_a, point_b;        /* world, on the shapes' surfaces: point_b = point_a + distance * normal */
    dvc_vec3 normal;                  /* unit, from shape_a to shape_b */
    dvc_feature feature_a, feature_b; /* that the points lie on */
} dvc_gap;

/* The gap between two shapes of the world, whatever the rules of contact say about them. Needs scratch for the pair. */
DVC_API dvc_status DVCI_NAME(dvc_distance)(dvc_world *world, int shape_a, int shape_b, dvc_gap *out);
#define dvc_distance DVCI_NAME(dvc_distance)

/* All shapes, sensors among them, within `margin` of a probe in this pose (0: what touches or overlaps; < 0: what overlaps by
 * more), by rising index. The first `capacity` of them are written, all are counted. Needs scratch for the probe and the largest
 * other shape. */
DVC_API dvc_status DVCI_NAME(dvc_overlap)(dvc_world *world, const dvc_shape *probe, dvc_vec3 position, dvc_quat orientation,
                                          dvc_real margin, int *shapes, int capacity, int *count);
#define dvc_overlap DVCI_NAME(dvc_overlap)

/* What a ray or a cast meets first; of several at the same t, the shape of lowest index. */
typedef struct dvc_hit {
    int shape, body;     /* -1: nothing is hit */
    dvc_real t;          /* part of `way` that is free; 0 if it starts inside */
    dvc_vec3 point;      /* world; on the shape's surface, or the ray's start inside it */
    dvc_vec3 normal;     /* unit, outward; from inside: along the shortest way out */
    dvc_feature feature; /* of the shape */
    bool inside;         /* it starts inside, or overlapping */
} dvc_hit;

/* The first shape on a ray, but for sensors and for shapes whose category has a bit of `ignore`. What is only touched counts,
 * as a corner or a seam between two boxes; but a ray from a surface outward does not hit it. A way of 0 asks whether the point
 * is in a shape. Needs no scratch. */
DVC_API dvc_status DVCI_NAME(dvc_raycast)(dvc_world *world, dvc_vec3 from, dvc_vec3 way, uint32_t ignore, dvc_hit *hit);
#define dvc_raycast DVCI_NAME(dvc_raycast)

/* The same against one shape, which may be a sensor. */
DVC_API dvc_status DVCI_NAME(dvc_raycast_shape)(dvc_world *world, int shape, dvc_vec3 from, dvc_vec3 way, dvc_hit *hit);
#define dvc_raycast_shape DVCI_NAME(dvc_raycast_shape)

/* The first shape that a probe moves into on its way, without turning; sensors do not stop it. What it only touches does not
 * either: it may slide on a floor of tiles, or pass along a wall. Needs scratch as dvc_overlap. */
DVC_API dvc_status DVCI_NAME(dvc_shapecast)(dvc_world *world, const dvc_shape *probe, dvc_vec3 position, dvc_quat orientation,
                                            dvc_vec3 way, dvc_hit *hit);
#define dvc_shapecast DVCI_NAME(dvc_shapecast)

/* ------------------------------------------------------------------------------------------------
 * >>record  what happened, as a stream
 * ------------------------------------------------------------------------------------------------
 * A recorder writes what a world is made of and how it is after each step as bytes that any machine can read: little-endian,
 * reals as IEEE doubles, in chunks with a tag, a size and a checksum, each whole or absent, so that a run that ends badly
 * leaves a good recording. What is read back goes on with the same bits: a frame holds all that survives from step to step.
 *
 *     header   "dvc.rec\n", version, size of the header, size of dvc_real, flags (planar, thin), h, gravity, DVC_VERSION, sum
 *     chunk    tag (4), size of the payload (4), its Adler-32 (4), payload; readers skip what they do not know
 *     NAME     title, names of bodies and of your own numbers
 *     GEOM     points of polytopes and polygons, then                    | both come again only if you
 *     SCNE     options, bodies, shapes, joints, springs, pair rules      | change what is in them
 *     FRAM     one moment: status, time, h, hash, report, energy, momentum, your numbers, bodies, joints, springs, contacts
 *     DONE     numbers of frames, of failed and of inexact ones
 *
 * The tables at >>record in the implementation are the format, byte for byte: the same functions write and read.
 */

/* Zero, `buffer` and `size` are enough; nothing is allocated. */
typedef struct dvc_recorder {
    unsigned char *buffer;         /* (size) room for the largest chunk, see dvc_record_room; without `write`, for all */
    size_t size;
    bool (*write)(void *user, const void *bytes, size_t size); /* takes each chunk, whole; false: it could not */
    void *user;                    /* handed to write */
    bool thin;                     /* true: poses and the contacts that push, to be looked at only */
    const char *title;             /* UTF-8 text; may be null, as all names may */
    const char *const *body_names; /* (body_name_count) */
    int body_name_count;
    const char *const *scalar_names; /* (scalar_count) names of your own numbers */
    const double *scalars;         /* (scalar_count) read at each frame */
    int scalar_count;
    size_t used;                   /* without `write`: bytes of the recording in `buffer`. These are written for you: */
    size_t needed;                 /* after DVC_ERROR_RECORD_ROOM: what `size` must be at least */
    dvc_status status;             /* the first error; until you set it back, nothing more is recorded */
    int frames, failed, inexact;   /* frames so far, those of failed steps, and of inexact ones */
    uint64_t geometry_key, scene_key; /* hashes of what GEOM and SCNE said last */
} dvc_recorder;

/* Begins a recording with the world as it is. `h` is what you plan; each frame tells its own. */
DVC_API dvc_status DVCI_NAME(dvc_record_begin)(dvc_recorder *recorder, const dvc_world *world, dvc_real h);
#define dvc_record_begin DVCI_NAME(dvc_record_begin)

/* Adds a frame: call it after dvc_step with its h and what it returned; failed steps are worth recording, too. Not every step
 * needs a frame. The world is only read. */
DVC_API dvc_status DVCI_NAME(dvc_record_step)(dvc_recorder *recorder, const dvc_world *world, dvc_real h, dvc_status result);
#define dvc_record_step DVCI_NAME(dvc_record_step)

/* Ends the recording. Returns the first error of all, if there was one. */
DVC_API dvc_status DVCI_NAME(dvc_record_end)(dvc_recorder *recorder);
#define dvc_record_end DVCI_NAME(dvc_record_end)

/* Bytes of buffer that suffice for any chunk of this world, with contacts up to contact_capacity. 0: its counts or pointers, or
 * those of the recorder, are such as dvc_record_begin refuses. */
DVC_API size_t DVCI_NAME(dvc_record_room)(const dvc_recorder *recorder, const dvc_world *world);
#define dvc_record_room DVCI_NAME(dvc_record_room)

/* A recording that is read. Plain data; it may be copied. */
typedef struct dvc_recording {
    const unsigned char *bytes; /* yours: must stay as long as you read */
    size_t size;
    size_t good;                /* bytes that are whole and sound: all, or those before what dvc_recording_open complains of */
    bool complete;              /* it was ended by dvc_record_end */
    bool planar, thin;
    dvc_real h;                 /* as planned */
    int frames;                 /* that can be read */
    int bodies, shapes, joints, springs, pair_rules, contacts; /* the most of any frame */
    int scalars;                /* your own numbers, the most of any frame */
    size_t storage_needed;      /* for dvc_recording_world */
    int frame;                  /* the frame read last, -1 none. From here on it is about that one: */
    double time;                /* s */
    dvc_real frame_h;           /* s, of the step that led to it; 0 in the first */
    dvc_status result;          /* what that step returned */
    uint64_t hash;              /* dvc_world_hash */
    dvc_real energy;            /* J */
    dvc_vec3 momentum, angular_momentum;
    size_t names_at, geometry_at, scene_at, frame_at, scalars_at; /* places in `bytes`; 0 none */
} dvc_recording;

/* Checks every chunk and fills `out`. After an error `out->frames` frames, those before the trouble, can be read all the same.
 * Bytes may come from anywhere: nothing is believed. */
DVC_API dvc_status DVCI_NAME(dvc_recording_open)(const void *bytes, size_t size, dvc_recording *out);
#define dvc_recording_open DVCI_NAME(dvc_recording_open)

/* Lays out the world of a frame in `storage` (recording->storage_needed bytes suffice for any frame): bodies, shapes with their
 * polytopes and points, joints, springs, rules; then reads the frame. Contacts (recording->contacts entries suffice) and scratch
 * of `world` are yours, as are its functions: a body that was moved by one has none now. */
DVC_API dvc_status DVCI_NAME(dvc_recording_world)(dvc_recording *recording, int frame, void *storage, size_t storage_size,
                                                  dvc_world *world);
#define dvc_recording_world DVCI_NAME(dvc_recording_world)

/* Puts the frame into a world that has the same arrays: the one that was recorded, made anew by the same program, or one of
 * dvc_recording_world. Everything but your pointers and pair rules is set. A step then gives the bits that were recorded, if
 * you do what you did. A null `world` only moves to the frame. */
DVC_API dvc_status DVCI_NAME(dvc_recording_frame)(dvc_recording *recording, int frame, dvc_world *world);
#define dvc_recording_frame DVCI_NAME(dvc_recording_frame)

/* One of your own numbers in the frame read last; 0 if there is none. */
DVC_API double DVCI_NAME(dvc_recording_scalar)(const dvc_recording *recording, int scalar);
#define dvc_recording_scalar DVCI_NAME(dvc_recording_scalar)

/* A name: its length, and its bytes (not ended by 0) in *text. 0 if there is none. */
typedef enum dvc_name { DVC_NAME_TITLE = 0, DVC_NAME_BODY, DVC_NAME_SCALAR } dvc_name;
DVC_API size_t DVCI_NAME(dvc_recording_name)(const dvc_recording *recording, dvc_name kind, int index, const char **text);
#define dvc_recording_name DVCI_NAME(dvc_recording_name)

/* ------------------------------------------------------------------------------------------------
 * >>inspect  questions to a world
 * ------------------------------------------------------------------------------------------------ */

/* These ask of what is there: without a world, or without bodies, there is none, and the answer is 0. */

/* Kinetic energy of the dynamic bodies plus their energy in the gravity field, J. */
DVC_API dvc_real DVCI_NAME(dvc_energy)(const dvc_world *world);
#define dvc_energy DVCI_NAME(dvc_energy)

/* Momentum and angular momentum about the origin of the dynamic bodies; either pointer may be null. */
DVC_API void DVCI_NAME(dvc_momentum)(const dvc_world *world, dvc_vec3 *linear, dvc_vec3 *angular);
#define dvc_momentum DVCI_NAME(dvc_momentum)

/* A hash of the state (bodies' poses and velocities, contacts, joints, time): equal bits, equal hash. 0 if counts or pointers are
 * such as dvc_world_check refuses. */
DVC_API uint64_t DVCI_NAME(dvc_world_hash)(const dvc_world *world);
#define dvc_world_hash DVCI_NAME(dvc_world_hash)

#ifdef __cplusplus
}
#endif

#endif /* DVC_H */

/* ================================================================================================
 *                                      I M P L E M E N T A T I O N
 * ================================================================================================ */
#if defined(DVC_IMPLEMENTATION) && !defined(DVCI_IMPLEMENTED)
#define DVCI_IMPLEMENTED

#include <string.h>

/* What the compiler tells is looked at here, the rest in every step (>>check). */
#if !defined(DVC_ALLOW_FAST_MATH)                                                                                              \
    && (defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__)                                \
        || defined(__NO_SIGNED_ZEROS__) || defined(_M_FP_FAST)                                                                 \
        || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ > 0))
#error "dvc.h needs IEEE arithmetic: compile this file without -ffast-math, -Ofast and their parts"
#endif
/* 0 adds no precision; 16 and 32 add some to types of that many bits only, 1 to float (s390x with -std=c99). */
#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0 && __FLT_EVAL_METHOD__ != 16 && __FLT_EVAL_METHOD__ != 32
#if __FLT_EVAL_METHOD__ == 1 && !DVCI_DOUBLE
#error "dvc.h needs float arithmetic without excess precision: compile this file with -std=gnu99 or -fexcess-precision=fast, not -std=c99"
#elif __FLT_EVAL_METHOD__ != 1
#error "dvc.h needs arithmetic without excess precision: on 32-bit x86 add -msse2 -mfpmath=sse"
#endif
#endif

#if defined(DVC_OPENMP)
#if !defined(_OPENMP)
#error "DVC_OPENMP needs a compiler that is told so: add -fopenmp"
#endif
#include <omp.h>
#endif

/* The square root comes from an instruction where there is one, so that no library is needed. */
#ifndef DVC_SQRT
#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#elif !(defined(__aarch64__) && defined(__GNUC__))
#include <math.h>
#endif
#endif

/* No fused multiply-add in this header, and no multiplication by 1 / x. What clang does all the same (-ffp-contract=fast; the
 * first pragma is unknown to it on some machines, which is no matter for a warning) a step finds out. */
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wignored-pragmas"
#pragma float_control(precise, on, push)
#pragma clang diagnostic pop
#pragma clang fp contract(off)
#elif defined(__GNUC__)
#pragma GCC push_options
#pragma GCC optimize("fp-contract=off")
#if defined(__FMA__) /* gcc's vectoriser fuses (a b - c, d e + f) all the same: it may look at dvci_axpy and its like only */
#pragma GCC optimize("no-tree-slp-vectorize")
#endif
#elif defined(_MSC_VER)
#pragma fp_contract(off)
#endif

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__) || defined(_MSC_VER)
#define DVCI_RESTRICT __restrict
#else
#define DVCI_RESTRICT
#endif

/* Not merged into its caller, whose frame would stay as large as this function's for all that is called below. */
#if defined(__GNUC__)
#define DVCI_APART __attribute__((noinline))
#elif defined(_MSC_VER)
#define DVCI_APART __declspec(noinline)
#else
#define DVCI_APART
#endif

#define DVCI_R(x) ((dvc_real)(x)) /* a literal in the number type */

/* Gap units: what counts as satisfied, per length scale of the pair. */
#if DVCI_DOUBLE
#define DVCI_GAP_CHECK DVCI_R(2e-7) /* linearised, for flips and cuts */
#define DVCI_GAP_END DVCI_R(1e-9)   /* at the end pose */
#define DVCI_GAP_ROUND DVCI_R(3e-15) /* of the numbers that places are made of */
#define DVCI_GAP_STILL DVCI_R(5e-10) /* the least that is made good between bodies that keep still */
#define DVCI_JOINT_END DVCI_R(1e-14) /* joints at the end pose, if it can be had */
#define DVCI_GAP_DEEP DVCI_R(5e-7)  /* deeper than this at the end: half steps */
#define DVCI_GAP_LOOSE DVCI_R(1e-3) /* the same where an island is too large to be solved to the end */
#define DVCI_GAP_STAND DVCI_R(1e-4) /* none where such an island could stand as it is */
#else
#define DVCI_GAP_CHECK DVCI_R(1e-5)
#define DVCI_GAP_END DVCI_R(1e-5)
#define DVCI_GAP_ROUND DVCI_R(2e-7)
#define DVCI_GAP_STILL DVCI_R(1e-6)
#define DVCI_JOINT_END DVCI_R(1e-6)
#define DVCI_GAP_DEEP DVCI_R(1e-4)
#define DVCI_GAP_LOOSE DVCI_R(1e-3)
#define DVCI_GAP_STAND DVCI_R(1e-4)
#endif

#define DVCI_WAY_CALM DVCI_R(1e-6)  /* in a step, of the pair's size: bodies that hardly move against each other, */
#define DVCI_WAY_STILL DVCI_R(1e-9) /* and such that keep still */
#define DVCI_WAY_STAND DVCI_R(1e-3) /* the same of what is asked whether it could stand */
#define DVCI_STILL_PAIRS 5          /* islands of no more pairs have few ways to share what a step left: all is made good */
#define DVCI_STILL_PAIRS_2D 25

/* Internal invariants only: whatever a user may get wrong is a status. Off unless defined. */
#ifndef DVC_ASSERT
#define DVC_ASSERT(condition) ((void)0)
#endif

#ifndef DVC_STAGE
#define DVC_STAGE(name) ((void)0)
#endif

#ifdef DVC_SQRT
static double dvci_sqrt_double(double x) { return (double)DVC_SQRT(x); }
#elif defined(__SSE2__) || defined(_M_X64)
static double dvci_sqrt_double(double x) { return _mm_cvtsd_f64(_mm_sqrt_sd(_mm_set_sd(x), _mm_set_sd(x))); }
#elif defined(__aarch64__) && defined(__GNUC__)
static double dvci_sqrt_double(double x)
{
    double root;
    __asm__("fsqrt %d0, %d1" : "=w"(root) : "w"(x));
    return root;
}
#else
static double dvci_sqrt_double(double x) { return sqrt(x); }
#endif

/* Rounding the double root of a float to float gives the correctly rounded float root. */
static dvc_real dvci_sqrt(dvc_real x) { return (dvc_real)dvci_sqrt_double((double)x); }

/* ------------------------------------------------------------------------------------------------
 * >>data  what the stages hand to each other
 * ------------------------------------------------------------------------------------------------
 *     bodies -> parts -> pairs -> groups, facets, points -> islands -> rows -> A, b -> z -> velocities -> end poses
 *
 * Arrays live in the scratch arena for the length of one step; their sizes stand in brackets.
 */

typedef struct dvci_arena {
    unsigned char *base; /* aligned; NULL: only measure */
    size_t capacity;     /* a multiple of DVCI_ALIGN */
    size_t used, peak;
    size_t wanted;       /* after a failed request: what it would have taken */
    bool failed;
} dvci_arena;

/* Box around all that a part may reach in the step, and a node of the tree that they are put into: see >>pairs. */
typedef struct dvci_box {
    dvc_vec3 low, high;
    int part;
    bool moves;
} dvci_box;

typedef struct dvci_node {
    dvc_vec3 low, high;
    int first, count; /* its boxes */
    int child;        /* the first of its two children; -1: a leaf */
} dvci_node;

/* A part and where it is along a curve that fills space. */
typedef struct dvci_cell { uint32_t key; int part; } dvci_cell;

/* A 3 x 3 matrix by rows. */
typedef struct dvci_mat3 { dvc_vec3 x, y, z; } dvci_mat3;

typedef struct dvci_pose {
    dvc_vec3 x;
    dvci_mat3 turn; /* from the start of the step to this pose */
} dvci_pose;

/* A body in the step. */
typedef struct dvci_body {
    bool dynamic, present;      /* dynamic: follows forces, and does not rest; present: not disabled */
    bool fixed;                 /* static */
    bool asleep, woken;         /* asleep: rests; woken: of the lowest body of an island: one of its bodies does not */
    bool turns;                 /* has moments of inertia */
    bool round;                 /* three equal moments, or planar: w keeps still in free motion */
    dvc_vec3 x;
    dvc_quat q;
    dvc_vec3 x_step;            /* x and q of the part of the step that is being halved */
    dvc_quat q_step;
    dvc_vec3 v_start, w_start;
    dvc_vec3 v_free, w_free;    /* with forces, without contacts */
    dvc_vec3 gyro;              /* of the free motion */
    dvc_real inverse_mass;
    dvc_vec3 moments;           /* principal */
    dvci_mat3 inverse_inertia;  /* world axes, at the start */
    dvc_real reach;             /* farthest point of its shapes from x, or somewhat more, if it is fixed */
    dvc_real extra, pending;    /* how much farther it went than foreseen: in attempts before, in this one */
    dvc_vec3 v, w;              /* the velocity; in the step in time the mean one, which carries the body to where it ends, */
    dvc_vec3 v_out, w_out;      /* and the velocity there */
    dvc_vec3 hit_v, hit_w;      /* what impacts within the step have added to its velocity, */
    dvc_vec3 jump_v, jump_w;    /* and the part of v and w that is no velocity: they came later than at the start */
    dvc_vec3 kept_v, kept_w;    /* of an iterate set aside */
    dvci_pose end;
    dvc_quat q_end;
    dvc_vec3 w_end;
    dvc_vec3 displacement;      /* rotation vector of end.turn / h */
    dvci_mat3 lever;            /* d(turn at the end) / d(h w): what a change of w does to directions at the end */
    dvc_vec3 force, torque;     /* all that acts but contacts, joints, weight and damping: the user's, springs */
    dvc_real pulled;            /* sum over its springs of stiffness times mobility */
    dvci_mat3 stiffness;        /* d(torque of the joints' forces) / d(turn): see >>joint */
    dvci_mat3 added_inertia;    /* world axes: of a stiff body */
    bool stiff;
    dvc_vec3 spin_around;       /* sum of the spins of its stiff neighbours, and their number */
    int stiff_around;
    dvc_vec3 follow;            /* the part of `torque` that makes it follow them */
    int island, slot;           /* -1: none; place among the island's bodies */
} dvci_body;

/* Two bodies and the index of what they have in common. */
typedef struct dvci_key { int low, high, index; } dvci_key;

/* A shape in the step: see >>parts. */
typedef struct dvci_part {
    int body;
    dvc_shape_kind kind;
    dvc_real skin;         /* radius of a sphere, otherwise 0 */
    dvc_real size;         /* radius of a ball around it, 0: none (particle) or infinite (half-space) */
    dvc_real inner;        /* radius of a ball inside */
    dvc_vec3 centre;       /* relative to its body's centre, world axes, as everything below */
    bool placed;           /* laid out: of fixed ones only those that something comes near */
    bool turned;           /* at the end pose: it is there already */
    dvc_vec3 middle;       /* mean of its vertices: inside */
    dvc_vec3 low, high;    /* box around it at the start */
    dvc_vec3 swept_low, swept_high; /* box around everything it may reach in this step; absolute */
    int vertex_count, face_count, edge_count;
    dvc_vec3 *vertices;    /* (vertex_count) */
    dvc_vec3 *normals;     /* (face_count) outward */
    dvc_real *offsets;     /* (face_count) dot(normal, p) of the face's points */
    const int *loops;      /* vertices of the faces, face after face */
    const dvc_face *faces; /* where a face's loop is; NULL: all faces have `face_size` vertices */
    int face_size;
    const dvc_edge *edges; /* tails, heads and faces; in 3D only */
    dvci_mat3 axes;        /* shape to world */
} dvci_part;

/* What a terrain's storage holds: see >>terrain. */
typedef struct dvci_terrain {
    bool planar;
    dvci_part *parts; /* (shape_count) laid out; swept_low and swept_high: the box around it */
    dvc_real *reach;  /* (body_count) */
    int *planes;      /* (plane_count) half-spaces among the parts */
    int plane_count;
    dvci_box *boxes;  /* (box_count) of the others, with their slop, in the order of the tree's leaves */
    int box_count;
    dvci_node *nodes; /* (2 shape_count + 1) */
    uint64_t mark;    /* of all that it is made of: see >>sleep */
} dvci_terrain;

/* An elementary contact: two features, a normal, a gap. The same world point is used for both bodies, so that action and
 * reaction have no moment. */
typedef struct dvci_point {
    int group, facet;
    dvc_feature feature_a, feature_b;
    dvc_vec3 normal;            /* from a to b, start of the step */
    dvc_vec3 arm_a, arm_b;      /* from the bodies' centres to the contact */
    dvc_real gap;               /* at the start */
    dvc_vec3 slip_1, slip_2;    /* tangents */
    bool plain;                 /* they are made from the normal alone */
    dvc_real tangent;           /* angle of the first friction direction from slip_1 */
    uint32_t warm;
    bool cut;                   /* added by a check */
    /* the measured row: what it takes is row_v . (v_b - v_a) + row_a . w_a + row_b . w_b + rate >= 0. At the start that
       is the force's own direction; at the end pose it is measured anew, while the force keeps its direction. */
    dvc_vec3 row_v, row_a, row_b;
    dvc_real rate;
    /* the solution */
    bool enforced;
    dvc_real impulse;           /* along the normal */
    dvc_vec3 friction;          /* impulse in the contact plane, on b */
    dvc_vec3 known;             /* both as the last step has stored them */
    bool goes_on;               /* they are that, to the bit */
    dvc_real end_gap;
    bool kept_enforced;         /* an iterate set aside */
    dvc_real kept_impulse;
    dvc_vec3 kept_friction;
    dvc_vec3 first, first_turned; /* impulse at the start of the step, of which the whole is known now */
    dvc_real total_normal;      /* over all parts of the step */
    dvc_vec3 total, turned;     /* `turned`: angular impulse about where the user has a */
    dvc_vec3 bend;              /* true slip less linear slip, where a correction looks at it */
    bool bounces;               /* restitution acts: its row is one of velocities, at the start of the step */
} dvci_point;

/* One alternative of a disjunction: if it holds, the pair is apart. A facet of two polytopes is a face of either, or a
 * pair of nearly parallel faces (`flush`), or a pair of crossing edges; its gap is the largest of what it was made from. */
typedef struct dvci_facet {
    int first, count;           /* its points */
    dvc_real gap;               /* at the start */
    int face_a, face_b;         /* faces it contains, -1: none */
    int edge_count;             /* and pairs of edges, as points on the candidates' list */
    int edge_a[4], edge_b[4];
    bool single;                /* not made from planes: its gap is that of its one point */
    bool flush, shadow, carried;
} dvci_facet;

/* A pair of parts that may touch in this step: at least one of its facets must hold. */
typedef struct dvci_group {
    int part_a, part_b;         /* indices of shapes, part_a < part_b */
    int first, count;           /* its facets; behind them is room for one that was not foreseen */
    int chosen, kept_chosen;    /* facet, relative to first */
    dvc_real size;              /* length scale of the pair */
    dvc_real gap;               /* largest facet gap at the start */
    dvc_real reach;             /* eps: how near is near */
    dvc_real cosine;            /* of theta: directions this close to parallel act as one */
    dvc_real gone;              /* gap below which nothing is made good in this step: -speed of recovery * h */
    dvc_real rounding;          /* at rest, gaps smaller than this are as good as none: places of bodies are no finer */
    dvc_real fine;              /* the same before it was asked whether it could stand */
    dvc_real friction, restitution;
    bool bounces;               /* one of its points does */
    bool own;                   /* from the user's collision stage: no geometry behind it */
    bool touched;               /* in the step before */
    int directions;             /* friction directions; 0: frictionless */
    bool fixed_tangents;
    dvc_real tangent_angle;
    dvc_vec3 surface;           /* velocity of b's surface against a's, world axes */
    bool sensor;
    bool literal;               /* an I-constraint of W: the first facet pushes, the others are slack (>>models) */
    bool released;              /* and one that held apart what was apart: it does not hold any more */
    dvc_real over;              /* how much too deep it was at the last look at the end pose, per size */
    dvc_real end_gap;           /* its gap there, if all axes were tried */
    bool searched;              /* they were, and it has not moved since */
    bool measured;              /* end_gap, and those of enforced points, are of where the bodies are now */
    dvc_real strict;            /* `gone` before overlap was forgiven */
    int switches;               /* facets it took at the end pose that were not foreseen */
    bool fast;                  /* may move by as much as its size */
    bool unseen;                /* too far apart in some half step to be looked at there */
    int cuts;
    int island;
} dvci_group;

/* What ties two bodies (or one to the table it stands on) without touching. */
typedef enum dvci_link_kind { DVCI_LINK_JOINT, DVCI_LINK_SPRING, DVCI_LINK_SUPPORT } dvci_link_kind;

typedef struct dvci_link {
    dvci_link_kind kind;
    int index;                  /* of the joint, spring, or body with a support */
    int body_a, body_b;         /* body_a -1: the table */
    int first, count;           /* its rows */
    dvc_real size;              /* length scale */
    dvc_real turn, slide;       /* coordinates at the start of the step */
    dvc_real turn_end;
    dvc_vec3 along;             /* of a spring, from a to b, */
    dvc_real pull;              /* and what it pulls with at the start */
    dvc_vec3 early, early_angular; /* impulse at the start of the step, of which the whole is known now, less the same at the end */
    dvc_vec3 impulse, angular;  /* over all parts of the step, on b at the joint; of a joint */
    dvc_real pulled;            /* over all parts of the step, towards each other; of a spring */
} dvci_link;

/* What a row of a link does: it holds a length or an angle at 0 (HOLD), drives or brakes one (MOTOR, RUB), bounds it (LOWER,
 * UPPER), gives way like a damper (YIELD), or rubs on the table (SLIDE). */
typedef enum dvci_link_role {
    DVCI_HOLD, DVCI_MOTOR, DVCI_RUB, DVCI_LOWER, DVCI_UPPER, DVCI_YIELD, DVCI_SLIDE
} dvci_link_role;

/* A link's row, as a point's: its force keeps the direction it has at the start, what it measures may be its true value at
 * the end pose. A unit impulse gives b the momentum force_v, a the opposite, and each its angular momentum. */
typedef struct dvci_link_row {
    int link;
    unsigned char role;         /* dvci_link_role */
    unsigned char way;          /* what of the joint it measures: dvci_way */
    signed char mode;           /* where it ended */
    bool spare;                 /* what it holds others hold as well: corrections leave it out */
    dvc_vec3 force_v, force_a, force_b;
    dvc_vec3 row_v, row_a, row_b;
    dvc_real rate;
    dvc_real lower, upper;      /* of the impulse */
    dvc_real compliance;        /* velocity given way per impulse */
    dvc_real start;             /* value at the start: m or rad */
    dvc_real target;            /* value that it is to have at the end, or not to pass */
    dvc_real off;               /* how far the value is from it, where that matters */
    dvc_real impulse, kept_impulse, total;
} dvci_link_row;

/* Work in a step: what the exact bound allows; what forces, motors, springs and given motions have put in; what making errors of the
 * start good has cost; what bounces were bound to give. */
typedef struct dvci_work { dvc_real allowed, put, recovered, bounced; } dvci_work;

typedef struct dvci_island {
    int index;
    int first_link, link_count;     /* in step->island_links */
    int first_body, body_count;     /* in step->island_bodies */
    int first_group, group_count;   /* in step->island_groups */
    int thread;                     /* that advances it */
    int first_cut, cut_count;       /* what checks have added, in step->points */
    int points_wanted;              /* the most points there were at one time beyond those before */
    bool large;                     /* a factor takes too long: it is swept */
    bool approximate, bounced;
    dvci_work work;
    dvc_report report;              /* its part */
} dvci_island;

/* The caller's clock, and when time is up; a null clock never ends. */
typedef struct dvci_watch {
    dvc_clock clock;
    void *user;
    double end;
} dvci_watch;

typedef struct dvci_step {
    dvc_world *world;
    dvc_real h;
    double time;
    dvci_arena arena;
    int width;                  /* of a body's part of a row: 3 planar, 6 spatial */
    dvc_real gravity;           /* |g| */
    dvc_real speed;             /* V = g h + the fastest speed: what velocities are measured by */
    dvc_status status;          /* sticky */
    int culprit;
    dvci_body *bodies;          /* (body_count) */
    dvci_part *parts;           /* (shape_count) at the start */
    dvci_part *ends;            /* (shape_count) the same at the end pose */
    const dvci_terrain *terrain; /* NULL: none */
    int first_body, first_shape; /* behind the terrain's; of those only the ones that are met are there: */
    bool *met_bodies, *met_parts; /* (first_body), (first_shape) */
    dvci_key *rule_keys;        /* (2 pair_rule_count) sorted by bodies; working half */
    dvci_key *joined_keys;      /* (2 joint_count) bodies that do not collide for a joint; working half */
    int joined_count;
    dvci_box *boxes;            /* (shape_count) of finite parts, in the order of the tree's leaves */
    dvci_node *nodes;           /* (2 shape_count + 1) */
    dvci_cell *cells;           /* (2 shape_count) working half */
    int *list;                  /* (contact_capacity) points of the problem being solved */
    int *order;                 /* (2 contact_capacity) groups by their shapes; working half */
    dvc_vec3 **end_vertices, **end_normals; /* (shape_count) memory for `ends` */
    bool at_end;                /* it is solved at the end pose: the step in time */
    bool leaving;               /* bodies are there, and their velocities are looked for */
    bool bounced;               /* restitution acted somewhere */
    bool approximate;           /* an island was too large to be solved to the end */
    bool rough;                 /* so was a problem of the island in work */
    bool stands;                /* it is asked whether that could stand */
    int missed;                 /* pairs that overlap though they were not thought near */
    dvci_group *groups;         /* (contact_capacity + 1) each has a point; one that may not be kept */
    dvci_facet *facets;         /* (2 contact_capacity + 2) each has a point; each group a spare one */
    dvci_point *points;         /* (contact_capacity) */
    int group_count, facet_count, point_count;
    int point_limit;            /* contact_capacity; of a thread: where its room ends */
    int points_wanted;          /* the most there were at one time */
    int points_over;            /* those that did not fit */
    int *known;                 /* (shape_count + 1) where in world->contacts those of the step before begin, by first shape */
    dvc_contact *ended;         /* (ended_count) of pairs that touched in the step before and are not near any more, or sleep */
    int ended_count;
    uint64_t *marks;            /* (2 body_count) of bodies that may rest, when the step begins, and when it ends; 0: they move. */
                                /* NULL: in this world nobody rests */
    int *between;               /* (2 contact_capacity) bodies of the contacts of the step before; -1: not of this world */
    uint64_t surroundings;      /* mark of all that does not move; 0: not known yet */
    bool marked;                /* somebody was, when the step began */
    bool sleeps, stirs;         /* somebody rests; somebody does not */
    bool woke;                  /* somebody does not any more */
    dvci_island *islands;       /* (body_count) */
    int island_count;
    int islands_at_rest;        /* that were looked at */
    int *island_bodies;         /* (body_count) */
    int *island_groups;         /* (contact_capacity) without sensors */
    dvci_link *links;           /* (joint_count + spring_count + body_count) */
    dvci_link_row *link_rows;   /* (dvci_link_row_limit) */
    int link_count, link_row_count;
    int *island_links;          /* (joint_count + spring_count + body_count) */
    int island_group_count;
    int base_points;            /* points of facets; those behind were added by checks */
    dvci_work work;
    dvci_watch watch;
    int threads;                /* that may work on it */
    struct dvci_team *team;     /* while pairs are listed for them */
    bool crowded;               /* memory was not enough for so many */
    dvc_report report;
} dvci_step;

/* What makes velocities of a body's momentum. */
typedef struct dvci_matter {
    dvc_real inverse_mass;
    dvci_mat3 inverse_inertia; /* world axes */
} dvci_matter;

/* A matrix that is not formed: A_ij = row_i . column_j, over the bodies that both act on, and extra_i on the diagonal. */
typedef struct dvci_product {
    int width, bodies;
    const int *body;           /* (2 n) place of a row's bodies, -1: none */
    const dvc_real *row;       /* (2 n x width) */
    dvc_real *column;          /* (2 n x width) in the columns' units */
    const dvc_real *force;     /* (2 n x width) what a unit impulse adds to the momentum of its bodies, */
    const dvci_matter *matter; /* (bodies) which makes columns of that */
    dvc_real *extra;           /* (n) */
    const int *list_first, *list; /* (bodies + 1), (2 n) rows of each body, as 2 row + side */
    dvc_real *nu;              /* (bodies x width) what columns have gathered */
} dvci_product;

/* A complementarity problem as the solvers see it: see >>lcp. */
typedef struct dvci_mcp {
    int n;
    dvc_real *A;     /* (n x n) by columns: A[j n + i] is what z_j adds to w_i; NULL: only the product is there */
    const dvci_product *product; /* A as a product of sparse rows, NULL: none */
    dvc_real *b;     /* (n) */
    dvc_real *lower; /* (n) */
    dvc_real *upper; /* (n) linked rows: factor of the owner's value */
    int *owner;      /* (n) -1: plain; else the row before, whose value bounds this one; linked rows follow their owner */
    dvc_real *unit;  /* (n) the columns' scales */
    bool symmetric;  /* A_ij / unit_j is symmetric and no row is linked */
} dvci_mcp;

/* What a method is told and tells. */
typedef struct dvci_task {
    dvci_mcp *p;
    dvc_real *z;         /* (n) start and result */
    dvc_real *w;         /* (n) A z + b of the result */
    signed char *mode;   /* (n) start and result of the methods that have modes */
    dvc_real tolerance;  /* on dvci_mcp_residual */
    dvc_real relaxation;
    int max_iterations;
    int iterations;      /* counted up */
    dvc_real residual;   /* as last judged: of z, where a method ends with DVC_OK */
    int attempts;
    dvc_solver solved_by;
    bool warm;           /* modes are worth trying as they are */
    bool from_z;         /* the active set starts at z, not at nothing */
    bool dependent;      /* rows that depend on each other were met, or are to be expected */
    bool rounds;         /* what is exact to rounding is not refined: no next step is to come to the same */
    bool large;          /* too many bodies for a factor: only sweeps */
    bool rough;          /* one like it was not solved: rounds that would have to solve it are not worth it */
    bool stands;         /* all is to stand still, or it is not solved */
    int sweeps;          /* over the bodies, at most; 0: DVCI_SWEEPS */
    dvci_watch watch;    /* says when to stop */
    dvci_arena *arena;
} dvci_task;

/* Tolerances of the scaled problem, whose b is at most 1 and whose diagonal is about 1. */
#if DVCI_DOUBLE
#define DVCI_LCP_ACCEPT DVCI_R(1e-9)    /* residual of a solution */
#define DVCI_LCP_ZERO DVCI_R(1e-12)     /* sign tests on numbers that should be >= 0 */
#define DVCI_LCP_ROUND DVCI_R(1e-15)    /* the same, per unit of the largest z */
#define DVCI_LCP_TIE DVCI_R(1e-11)      /* stops that may be this far past, per unit of the largest z, are tied */
#define DVCI_LCP_SAME DVCI_R(1e-9)      /* numbers this close are the same: slip and zero, infinitesimals */
#define DVCI_LCP_PIVOT DVCI_R(1e-10)    /* a rate below this does not move */
#define DVCI_LCP_DRIFT DVCI_R(1e-11)    /* error of the core's inverse that asks for a new one */
#define DVCI_LCP_HUGE DVCI_R(1e10)      /* a larger z solves nothing: its w is all rounding */
#define DVCI_LCP_DEPENDENT DVCI_R(1e-12) /* a pivot below this belongs to a row that depends on the rows before */
#define DVCI_LCP_REST DVCI_R(1e-14)     /* residual of a point at rest */
#define DVCI_LCP_STILL DVCI_R(1e-10)    /* speed of what keeps still */
#define DVCI_LCP_SHARE DVCI_R(1e-5)     /* compliance by which rows that depend on each other share their load */
#define DVCI_INNER_FROM DVCI_R(3e-7)    /* residual from which on the inner path is worth its rounds; */
#define DVCI_INNER_ROUGH DVCI_R(1e-6)   /* the same after a problem that was not solved */
#define DVCI_SHARP_FROM DVCI_R(1e-3)    /* residual up to which the active set is worth its rounds */
#define DVCI_BEAR_FROM DVCI_R(1e-3)     /* residual of the last step's impulses from which on loads are handed down */
#else
#define DVCI_LCP_ACCEPT DVCI_R(1e-4)
#define DVCI_LCP_ZERO DVCI_R(1e-5)
#define DVCI_LCP_ROUND DVCI_R(1e-6)
#define DVCI_LCP_TIE DVCI_R(1e-5)
#define DVCI_LCP_SAME DVCI_R(1e-4)
#define DVCI_LCP_PIVOT DVCI_R(1e-5)
#define DVCI_LCP_DRIFT DVCI_R(1e-4)
#define DVCI_LCP_HUGE DVCI_R(1e5)
#define DVCI_LCP_DEPENDENT DVCI_R(1e-5)
#define DVCI_LCP_REST DVCI_R(1e-6)
#define DVCI_LCP_STILL DVCI_R(1e-5)
#define DVCI_LCP_SHARE DVCI_R(1e-3)
#define DVCI_INNER_FROM DVCI_R(1e-4)
#define DVCI_INNER_ROUGH DVCI_R(1e-3)
#define DVCI_SHARP_FROM DVCI_R(1e-2)
#define DVCI_BEAR_FROM DVCI_R(1e-2)
#endif
#define DVCI_LCP_NEAR DVCI_R(1e-2) /* the most by which the inner path gives way about its anchor */
#define DVCI_SHARE_ROUNDS 12
#define DVCI_DIRECT_BODIES 256 /* islands of so many bodies are solved over their factor, */
#define DVCI_DIRECT_WORK 2.5e7 /* and larger ones if it takes no more products of numbers */
#define DVCI_LARGE_SWEEPS 20
#define DVCI_LARGE_RECOVERY DVCI_R(0.2)
#define DVCI_NEAR_SHARE DVCI_R(0.05) /* compliance near a start, times the root of what is left */
#define DVCI_NEAR_ROUNDS 12  /* of the active set there; */
#define DVCI_NEAR_MOST 200   /* as many where few rows change any more, */
#define DVCI_NEAR_IDLE 20    /* unless so many rounds have left no less */
#define DVCI_GUESS_SWEEPS 8  /* at most, before the first factor */
#define DVCI_SWEEPS 60       /* sweeps that look for a start of the active set, or of the inner path */
#define DVCI_RUNAWAY DVCI_R(1e6) /* a sweep that goes so much farther than the first one has lost its way */
#define DVCI_NONSENSE DVCI_R(30) /* residual of impulses that a step begins with, from which on none at all may be better */
#define DVCI_LOOK 20         /* sweeps from one look at the residual to the next */
#define DVCI_INNER_OFF DVCI_R(0.1) /* how far inside the bounds that one starts */
#define DVCI_INNER_ROUNDS 60
#define DVCI_INNER_IDLE 12
#define DVCI_SWEEP_ROWS 120  /* a smaller problem over bodies is pivoted at once when the active set fails */
#define DVCI_PIVOT_ROWS 600   /* a larger problem over bodies is not pivoted: it is swept, and goes along the inner path */

/* Residual up to which a problem counts as solved. */
static dvc_real dvci_tolerance(const dvc_world *world) { return world->tolerance > 0 ? world->tolerance : DVCI_LCP_ACCEPT; }

/* What a collision stage of the user adds contacts to. */
struct dvc_collector { dvci_step *step; };

/* ---- the stages, in their order; each is found in the section named ---- */
static dvci_arena dvci_arena_over(void *block, size_t size);                       /* >>memory */
static size_t dvci_arena_bytes(size_t inside);
static dvc_real dvci_norm(dvc_vec3 a);                                             /* >>math */
static bool dvci_finite(dvc_real x);
static dvc_status dvci_check(const dvc_world *world, int *culprit);                /* >>check */
static bool dvci_check_step_size(const dvc_world *world, dvc_real h);
static void dvci_step_carve(dvci_step *s, const dvc_world *world, dvci_arena *arena); /* >>load */
static dvc_vec3 dvci_flat(dvc_vec3 v, bool planar);
static void dvci_load_bodies(dvci_step *s);
static void dvci_load(dvci_step *s);
static void dvci_load_body(dvci_step *s, int index);
static void dvci_part_meet(dvci_step *s, int index);                               /* >>pairs */
static bool dvci_shape_present(const dvc_world *world, int i);
static bool dvci_spring_present(const dvc_world *world, const dvc_spring *spring);
static int dvci_bodies_of(const dvc_world *world);                                 /* >>inspect */
static uint64_t dvci_mix(uint64_t mark, uint64_t word);
static uint64_t dvci_mix_body(uint64_t mark, const dvc_body *body);
static uint64_t dvci_mix_shape(uint64_t mark, const dvc_shape *shape);
static void dvci_sort_pairs_known(dvci_step *s);                                   /* >>pairs */
static void dvci_sweep_pairs(dvci_step *s, void (*visit)(dvci_step *s, int part_a, int part_b));
static bool dvci_world_rests(const dvc_world *world);                              /* >>sleep */
static void dvci_mark_start(dvci_step *s);
static void dvci_find_rest(dvci_step *s);
static void dvci_wake_near(dvci_step *s);
static bool dvci_contact_sleeps(const dvci_step *s, int contact);
static void dvci_look_at_rest(dvci_step *s);
static void dvci_mark_end(dvci_step *s);
static void dvci_visit_pair(dvci_step *s, int part_a, int part_b);                 /* >>groups */
static void dvci_index_contacts(dvci_step *s);
static void dvci_collide_own(dvci_step *s);                                        /* >>stages */
static void dvci_continue_own(dvci_step *s, const dvci_group *g);
static dvci_group *dvci_open_group(dvci_step *s, int part_a, int part_b);
static void dvci_close_group(dvci_step *s, dvci_group *g);
static void dvci_sort_groups(const dvci_step *s, int from, int *order, int *work);
static void dvci_find_islands(dvci_step *s, const int *order);                     /* >>islands */
static void dvci_weigh_islands(dvci_step *s);
static void dvci_mcp_carve_vectors(dvci_mcp *p, int n, dvci_arena *arena);         /* >>lcp */
static const dvc_real *dvci_mcp_column(const dvci_mcp *p, int j);
static bool dvci_diagonal_positive(const dvci_mcp *p);
static dvc_real dvci_mcp_residual(dvci_task *task);
static bool dvci_mcp_project(const dvci_mcp *p, dvc_real *z);
static dvc_status dvci_solve_by(dvc_solver method, dvci_task *task);
static void dvci_load_forces(dvci_step *s);                                        /* >>joint */
static void dvci_load_links(dvci_step *s);
static size_t dvci_link_row_limit(const dvc_world *world);
static dvc_real dvci_recovery_speed(const dvci_step *s, dvc_real size);
static dvci_body *dvci_island_body(const dvci_step *s, const dvci_island *island, int i);
static void dvci_store_links(const dvci_step *s);
static void dvci_start_island(dvci_step *s, const dvci_island *island);
static bool dvci_no_bound(dvc_real x);
static bool dvci_island_is_still(const dvci_step *s, const dvci_island *island);   /* >>problem */
static void dvci_keep_iterate(dvci_step *s, const dvci_island *island, int first_cut, bool keep); /* >>end */
static bool dvci_mcp_form(dvci_mcp *p, dvci_arena *arena);
static dvc_real dvci_mcp_diagonal(const dvci_mcp *p, int i);
static bool dvci_support_shares(const dvc_support *support, dvc_real share[3]);
static void dvci_advance_island(dvci_step *s, const dvci_island *island, int level); /* >>advance */
static int dvci_threads_for(const dvc_world *world);                               /* >>threads */
static void dvci_visit_pairs(dvci_step *s);
static void dvci_advance_islands(dvci_step *s);
static void dvci_attempt_alone(dvci_step *s);
static dvci_work dvci_island_work(const dvci_step *s, const dvci_island *island, int first_cut);
static dvci_work dvci_free_work(dvci_step *s, const dvci_island *island);
static bool dvci_something_missed(dvci_step *s);                                   /* >>foresight */
static void dvci_measure_end(dvci_step *s);                                        /* >>store */
static void dvci_measure_energy(dvci_step *s);
static void dvci_find_ended(dvci_step *s);
static void dvci_check_bodies_end(dvci_step *s, dvc_status status);
static void dvci_check_result(dvci_step *s);
static void dvci_store_contacts(dvci_step *s);
static void dvci_store_bodies(const dvci_step *s);

/* ------------------------------------------------------------------------------------------------
 * >>step  the whole step on one page
 * ------------------------------------------------------------------------------------------------ */
#define DVCI_REPEATS 64
#define DVCI_LARGE_REPEATS 2 /* where islands were only swept: they are never as foreseen, */
#define DVCI_MISSED_LARGE DVCI_R(0.02) /* and only overlap of such a part of a size counts */

/* Contacts that may act in this step. */
static void dvci_find_contacts_of_step(dvci_step *s)
{
    s->group_count = s->facet_count = s->point_count = s->points_over = 0;
    DVC_STAGE("pairs");
    dvci_index_contacts(s);                                     /* those of the step before */
    if (s->sleeps) dvci_wake_near(s);                           /* what rests, and what moves comes near */
    if (s->world->collide) dvci_collide_own(s);                 /* the user's contacts */
    else dvci_visit_pairs(s);                                   /* boxes that meet -> groups, facets, points */
    s->base_points = s->point_count;
    if (s->points_over > 0) s->status = DVC_ERROR_CONTACTS;
    if (s->arena.failed) s->status = DVC_ERROR_SCRATCH;
    if (s->status != DVC_OK) return;
    DVC_STAGE("islands");
    dvci_sort_groups(s, 0, s->order, s->order + s->world->contact_capacity);
    dvci_find_islands(s, s->order);                             /* groups of bodies to be solved together */
    dvci_weigh_islands(s);                                      /* over their factor, or swept */
}

/* One attempt with what is known about reaches. */
static void dvci_attempt_step(dvci_step *s)
{
    DVC_STAGE("load");
    s->group_count = s->point_count = s->base_points = s->island_count = 0;
    dvci_load_bodies(s);
    if (s->marked) dvci_find_rest(s);                           /* islands that nothing has changed need no search */
    if (s->sleeps && !s->stirs) return;                         /* all of them */
    dvci_load(s);                                               /* forces -> free velocities; shapes, boxes */
    if (s->status == DVC_OK) dvci_find_contacts_of_step(s);
    if (s->status == DVC_OK) dvci_advance_islands(s);           /* each: choose, solve, check, end pose */
}

/* What the step has come to. No residual above the tolerance goes without being counted. */
static void dvci_certify(dvci_step *s)
{
    dvci_measure_end(s);
    dvci_measure_energy(s);
    dvci_find_ended(s);
    if (s->status != DVC_OK) return;
    if (s->sleeps && !s->world->sleep) dvci_look_at_rest(s);    /* does what they carried still bear them? */
    if (!(s->report.residual <= dvci_tolerance(s->world)) && s->report.inexact == 0) s->report.inexact = 1;
    dvci_check_result(s);
    if (s->status == DVC_OK && s->world->strict && s->report.inexact > 0) s->status = DVC_ERROR_NOT_SOLVED;
}

static void dvci_run(dvci_step *s)
{
    dvc_report fresh = s->report;
    bool missed;
    if (s->marks) dvci_mark_start(s);
    for (;;) {
        int repeats = s->report.repeats;
        s->report = fresh;
        s->report.repeats = repeats;
        memset(&s->work, 0, sizeof s->work);
        s->approximate = false;
        dvci_attempt_step(s);
        if (s->crowded) dvci_attempt_alone(s);
        if (s->status == DVC_OK) dvci_check_bodies_end(s, DVC_ERROR_NOT_FINITE); /* what is beyond all measure is not foreseen */
        DVC_STAGE("certify");
        missed = s->status == DVC_OK && dvci_something_missed(s); /* struck bodies that went farther than foreseen */
        if (!missed || s->report.repeats + 1 >= (s->approximate ? DVCI_LARGE_REPEATS : DVCI_REPEATS)) break;
        s->report.repeats++;
    }
    s->report.inexact += missed;
    if (s->status == DVC_OK) dvci_certify(s);
}

/* Is the step solved at the end pose? The other models are those of the literature, linearised at the start. */
static bool dvci_seeks_end_pose(const dvc_world *world)
{
    return world->contact_model == DVC_PEG && world->time_stepping != DVC_ANITESCU_POTRA && !world->semi_implicit;
}

/* Validates and takes memory. */
static void dvci_begin(dvci_step *s, dvc_world *world, dvc_real h)
{
    memset(s, 0, sizeof *s);
    s->world = world;
    s->h = h;
    s->culprit = -1;
    s->status = dvci_check(world, &s->culprit);
    if (s->status == DVC_OK && !dvci_check_step_size(world, h)) s->status = DVC_ERROR_STEP_SIZE;
    if (s->status != DVC_OK) return;
    s->time = world->time;
    s->at_end = dvci_seeks_end_pose(world);
    s->width = world->planar ? 3 : 6;
    s->gravity = dvci_norm(world->gravity); /* in planar worlds what presses on the table counts, too */
    s->speed = s->gravity * s->h;
    s->watch.clock = world->time_budget > 0 ? world->clock : NULL;
    s->watch.user = world->user;
    s->watch.end = s->watch.clock ? world->clock(world->user) + world->time_budget : 0;
    s->threads = dvci_threads_for(world);
    s->arena = dvci_arena_over(world->scratch, world->scratch_size);
    dvci_step_carve(s, world, &s->arena);
    if (s->arena.failed) s->status = DVC_ERROR_SCRATCH;
    else dvci_sort_pairs_known(s);
}

/* Report and culprit are all that an error changes. */
static void dvci_end(dvci_step *s)
{
    s->report.contacts_needed = s->points_wanted;
    s->report.islands = s->island_count + s->islands_at_rest;
    s->report.scratch_used = dvci_arena_bytes(s->arena.peak);
    s->report.scratch_needed = s->arena.failed ? dvci_arena_bytes(s->arena.wanted) : 0;
    s->world->report = s->report;
    s->world->culprit = s->culprit;
}

/* Only now is anything written. */
static dvc_status dvci_finish(dvci_step *s)
{
    if (s->status == DVC_OK) {
        dvci_store_contacts(s);
        dvci_store_links(s);
        dvci_store_bodies(s);
        if (s->marks) dvci_mark_end(s);
        s->world->time += (double)s->h;
    }
    dvci_end(s);
    return s->status;
}

DVC_API dvc_status dvc_step(dvc_world *world, dvc_real h)
{
    dvci_step s;
    if (!world) return DVC_ERROR_NULL;
    if (world->before_step) world->before_step(world->user, world, h);
    DVC_STAGE("check");
    dvci_begin(&s, world, h);
    if (s.status == DVC_OK) dvci_run(&s);
    DVC_STAGE("store");
    return dvci_finish(&s);
}

/* ------------------------------------------------------------------------------------------------
 * >>memory  the scratch arena
 * ------------------------------------------------------------------------------------------------
 * A stack in the caller's block. Whoever takes memory remembers `used` and puts it back. The same carving functions run
 * on an arena without a block to answer "how many bytes": sizes never depend on the block's address or contents.
 */
#define DVCI_ALIGN 16

static dvci_arena dvci_arena_measure(void)
{
    dvci_arena arena;
    memset(&arena, 0, sizeof arena);
    arena.capacity = (size_t)-1;
    return arena;
}

static dvci_arena dvci_arena_over(void *block, size_t size)
{
    dvci_arena arena = dvci_arena_measure();
    uintptr_t address = (uintptr_t)block;
    bool room = block && size >= DVCI_ALIGN - 1;
    arena.base = (unsigned char *)block;
    if (room) arena.base += (DVCI_ALIGN - address % DVCI_ALIGN) % DVCI_ALIGN;
    /* The worst misalignment is always charged, so that a size that sufficed once suffices anywhere. */
    arena.capacity = room ? (size - (DVCI_ALIGN - 1)) / DVCI_ALIGN * DVCI_ALIGN : 0;
    return arena;
}

static size_t dvci_arena_bytes(size_t inside) { return inside + (DVCI_ALIGN - 1); }

static void *dvci_alloc(dvci_arena *arena, size_t count, size_t size)
{
    size_t start = arena->used, left = arena->capacity - start;
    bool countable = count <= (size_t)-1 / 8192 || count <= ((size_t)-1 - DVCI_ALIGN) / size; /* the first saves a division */
    size_t bytes = countable ? (count * size + DVCI_ALIGN - 1) / DVCI_ALIGN * DVCI_ALIGN : 0;
    if (arena->failed || !countable || bytes > left) {
        if (!arena->failed) arena->wanted = countable ? start + bytes : (size_t)-1 / 2; /* more than there is */
        arena->failed = true;
        return NULL;
    }
    arena->used = start + bytes;
    if (arena->used > arena->peak) arena->peak = arena->used;
    return arena->base ? arena->base + start : NULL;
}

/* a b, or more than can be had where that is beyond size_t. */
static size_t dvci_times(size_t a, size_t b) { return b > 0 && a > (size_t)-1 / b ? (size_t)-1 : a * b; }

static dvc_real *dvci_alloc_reals(dvci_arena *arena, size_t count)
{
    return (dvc_real *)dvci_alloc(arena, count, sizeof(dvc_real));
}

static int *dvci_alloc_ints(dvci_arena *arena, size_t count)
{
    return (int *)dvci_alloc(arena, count, sizeof(int));
}

/* The next part of what was allocated in one piece: many small vectors, each allocated for itself, take longer than their use. */
static inline dvc_real *dvci_cut_reals(dvc_real **rest, size_t count)
{
    *rest += count;
    return *rest - count;
}

static inline int *dvci_cut_ints(int **rest, size_t count)
{
    *rest += count;
    return *rest - count;
}

static signed char *dvci_alloc_modes(dvci_arena *arena, size_t count)
{
    return (signed char *)dvci_alloc(arena, count, sizeof(signed char));
}

/* ------------------------------------------------------------------------------------------------
 * >>math  numbers, vectors, rotations
 * ------------------------------------------------------------------------------------------------
 * Everything here gives the same bits everywhere: no contraction (see the top of the implementation), no libm but the
 * square root, which IEEE 754 rounds correctly.
 */
#define DVCI_PI DVCI_R(3.14159265358979323846)

static dvc_real dvci_max(dvc_real a, dvc_real b) { return a > b ? a : b; }
static dvc_real dvci_abs(dvc_real x) { return dvci_max(x, 0 - x); } /* without a branch, which signs would mislead */
static dvc_real dvci_min(dvc_real a, dvc_real b) { return a < b ? a : b; }
static dvc_real dvci_clamp(dvc_real x, dvc_real low, dvc_real high) { return x < low ? low : x > high ? high : x; }
static bool dvci_finite(dvc_real x) { return x - x == 0; }

/* The power of two at or below x > 0, and not below the least normal one: scaling by it is exact. */
static dvc_real dvci_power_of_two(dvc_real x)
{
#if DVCI_DOUBLE
    uint64_t bits;
    const uint64_t exponent = (uint64_t)0x7ff << 52, least = (uint64_t)1 << 52;
#else
    uint32_t bits;
    const uint32_t exponent = (uint32_t)0xff << 23, least = (uint32_t)1 << 23;
#endif
    if (!(x > 0) || !dvci_finite(x)) return 1;
    memcpy(&bits, &x, sizeof bits);
    bits &= exponent;
    if (bits < least) bits = least;
    memcpy(&x, &bits, sizeof bits);
    return x;
}

/* Sine and cosine by octant reduction and Taylor series; the error is below two units in the last place for the angles a
 * step meets (|x| < 1e5). Where an angle's last digit is more than a turn, it has no direction left: it counts as 0. */
static void dvci_sin_cos(dvc_real angle, dvc_real *sine, dvc_real *cosine)
{
    /* pi / 2 in three parts whose multiples by small integers are exact or nearly so */
    const double part_1 = 1.57079632673412561417e+00, part_2 = 6.07710050630396597660e-11, part_3 = 2.02226624879595063154e-21;
    static const double for_sine[10] = { 1. / 420, 1. / 342, 1. / 272, 1. / 210, 1. / 156,
                                         1. / 110, 1. / 72,  1. / 42,  1. / 20,  1. / 6 };
    static const double for_cosine[10] = { 1. / 380, 1. / 306, 1. / 240, 1. / 182, 1. / 132,
                                           1. / 90,  1. / 56,  1. / 30,  1. / 12,  1. / 2 };
    double x = (double)angle, turns = x * 0.63661977236758134308, count, square, s = 0, c = 0;
    int quadrant, k;
    if (!(turns > -4503599627370496.0 && turns < 4503599627370496.0)) x = turns = x - x; /* 2^52 quarters: 0, or no number */
    count = turns - turns == 0 ? (double)(int64_t)(turns < 0 ? turns - 0.5 : turns + 0.5) : 0;
    quadrant = (int)((int64_t)count & 3);
    x = ((x - count * part_1) - count * part_2) - count * part_3;
    square = x * x;
    for (k = 0; k < 10; k++) {
        s = -(1 + s) * (square * for_sine[k]);
        c = -(1 + c) * (square * for_cosine[k]);
    }
    s = x + x * s;
    c = 1 + c;
    *sine = (dvc_real)(quadrant == 0 ? s : quadrant == 1 ? c : quadrant == 2 ? -s : -c);
    *cosine = (dvc_real)(quadrant == 0 ? c : quadrant == 1 ? -s : quadrant == 2 ? -c : s);
}

/* The angle of the vector (x, y) in (-pi, pi]: halved twice by the half-angle identity, then the arctangent's series. */
static dvc_real dvci_atan2(dvc_real y_in, dvc_real x_in)
{
    double y = (double)y_in, x = (double)x_in, ax = x < 0 ? -x : x, ay = y < 0 ? -y : y;
    double t, square, series = 0, angle;
    int k;
    if (ax + ay == 0) return 0;
    t = ay <= ax ? ay / ax : ax / ay;                  /* tan of an angle up to pi / 4 */
    for (k = 0; k < 3; k++) t = t / (1 + (double)dvci_sqrt_double(1 + t * t)); /* tan of half of it, three times: <= .0985 */
    square = t * t;
    for (k = 21; k >= 3; k -= 2) series = square * (1.0 / k - series);
    angle = 8 * (t - t * series);
    if (ay > ax) angle = 1.57079632679489661923 - angle;
    if (x < 0) angle = 3.14159265358979323846 - angle;
    return (dvc_real)(y < 0 ? -angle : angle);
}

static dvc_vec3 dvci_vec(dvc_real x, dvc_real y, dvc_real z)
{
    dvc_vec3 v;
    v.x = x; v.y = y; v.z = z;
    return v;
}

static dvc_vec3 dvci_add(dvc_vec3 a, dvc_vec3 b) { return dvci_vec(a.x + b.x, a.y + b.y, a.z + b.z); }
static dvc_vec3 dvci_sub(dvc_vec3 a, dvc_vec3 b) { return dvci_vec(a.x - b.x, a.y - b.y, a.z - b.z); }
static dvc_vec3 dvci_scale(dvc_vec3 a, dvc_real s) { return dvci_vec(a.x * s, a.y * s, a.z * s); }
static dvc_vec3 dvci_neg(dvc_vec3 a) { return dvci_vec(-a.x, -a.y, -a.z); }
static dvc_vec3 dvci_madd(dvc_vec3 a, dvc_vec3 b, dvc_real s) { return dvci_vec(a.x + b.x * s, a.y + b.y * s, a.z + b.z * s); }
static dvc_real dvci_dot(dvc_vec3 a, dvc_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static dvc_real dvci_norm(dvc_vec3 a) { return dvci_sqrt(dvci_dot(a, a)); }

static dvc_vec3 dvci_cross(dvc_vec3 a, dvc_vec3 b)
{
    return dvci_vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

/* a / |a|, or zero for a vector too short to have a direction. */
static dvc_vec3 dvci_unit(dvc_vec3 a)
{
    const dvc_real small = DVCI_DOUBLE ? DVCI_R(1e-280) : DVCI_R(1e-28), large = 1 / small;
    dvc_real square = dvci_dot(a, a), largest;
    if (square > small && square < large) return dvci_scale(a, 1 / dvci_sqrt(square));
    largest = dvci_max(dvci_abs(a.x), dvci_max(dvci_abs(a.y), dvci_abs(a.z)));
    if (!(largest > 0) || !dvci_finite(largest)) return dvci_vec(0, 0, 0);
    a = dvci_scale(a, 1 / dvci_power_of_two(largest)); /* so that squares neither overflow nor vanish: the same bits */
    return dvci_scale(a, 1 / dvci_norm(a));
}

static bool dvci_within(dvc_real x, dvc_real most) { return x <= most && x >= -most; } /* so is no NaN */
static bool dvci_within_vec(dvc_vec3 a, dvc_real most)
{
    return dvci_within(a.x, most) && dvci_within(a.y, most) && dvci_within(a.z, most);
}
static bool dvci_finite_vec(dvc_vec3 a) { return dvci_finite(a.x + a.y + a.z) && dvci_finite(a.x) && dvci_finite(a.y); }
static bool dvci_zero_vec(dvc_vec3 a) { return a.x == 0 && a.y == 0 && a.z == 0; }

static dvci_mat3 dvci_diagonal(dvc_real x, dvc_real y, dvc_real z)
{
    dvci_mat3 m;
    m.x = dvci_vec(x, 0, 0); m.y = dvci_vec(0, y, 0); m.z = dvci_vec(0, 0, z);
    return m;
}

static dvc_vec3 dvci_mul(dvci_mat3 m, dvc_vec3 v) { return dvci_vec(dvci_dot(m.x, v), dvci_dot(m.y, v), dvci_dot(m.z, v)); }

/* transpose(m) v */
static dvc_vec3 dvci_tmul(dvci_mat3 m, dvc_vec3 v)
{
    return dvci_madd(dvci_madd(dvci_scale(m.x, v.x), m.y, v.y), m.z, v.z);
}

static dvci_mat3 dvci_matmul(dvci_mat3 a, dvci_mat3 b)
{
    dvci_mat3 m;
    m.x = dvci_tmul(b, a.x); m.y = dvci_tmul(b, a.y); m.z = dvci_tmul(b, a.z);
    return m;
}

static dvci_mat3 dvci_transpose(dvci_mat3 a)
{
    dvci_mat3 m;
    m.x = dvci_vec(a.x.x, a.y.x, a.z.x); m.y = dvci_vec(a.x.y, a.y.y, a.z.y); m.z = dvci_vec(a.x.z, a.y.z, a.z.z);
    return m;
}

/* a + s b */
static dvci_mat3 dvci_matmadd(dvci_mat3 a, dvci_mat3 b, dvc_real s)
{
    a.x = dvci_madd(a.x, b.x, s); a.y = dvci_madd(a.y, b.y, s); a.z = dvci_madd(a.z, b.z, s);
    return a;
}

/* r m r' */
static dvci_mat3 dvci_congruent(dvci_mat3 r, dvci_mat3 m) { return dvci_matmul(dvci_matmul(r, m), dvci_transpose(r)); }

/* The matrix of v -> a x v. */
static dvci_mat3 dvci_skew(dvc_vec3 a)
{
    dvci_mat3 m;
    m.x = dvci_vec(0, -a.z, a.y); m.y = dvci_vec(a.z, 0, -a.x); m.z = dvci_vec(-a.y, a.x, 0);
    return m;
}

/* Solves m x = v by Cramer's rule: m is 3 x 3 and well conditioned. */
static dvc_vec3 dvci_solve3(dvci_mat3 m, dvc_vec3 v)
{
    dvci_mat3 t = dvci_transpose(m);
    dvc_vec3 yz = dvci_cross(t.y, t.z);
    dvc_real inverse = 1 / dvci_dot(t.x, yz);
    return dvci_scale(dvci_vec(dvci_dot(v, yz), dvci_dot(t.x, dvci_cross(v, t.z)), dvci_dot(t.x, dvci_cross(t.y, v))), inverse);
}

static dvc_quat dvci_quat(dvc_real w, dvc_vec3 v)
{
    dvc_quat q;
    q.w = w; q.x = v.x; q.y = v.y; q.z = v.z;
    return q;
}

static dvc_vec3 dvci_quat_vec(dvc_quat q) { return dvci_vec(q.x, q.y, q.z); }
static dvc_quat dvci_quat_conj(dvc_quat q) { return dvci_quat(q.w, dvci_neg(dvci_quat_vec(q))); }

static bool dvci_finite_quat(dvc_quat q) { return dvci_finite(q.w) && dvci_finite_vec(dvci_quat_vec(q)); }

static dvc_quat dvci_quat_mul(dvc_quat a, dvc_quat b)
{
    dvc_vec3 u = dvci_quat_vec(a), v = dvci_quat_vec(b);
    return dvci_quat(a.w * b.w - dvci_dot(u, v), dvci_add(dvci_cross(u, v), dvci_madd(dvci_scale(v, a.w), u, b.w)));
}

static dvc_quat dvci_quat_scale(dvc_quat q, dvc_real s) { return dvci_quat(q.w * s, dvci_scale(dvci_quat_vec(q), s)); }

/* Unit length; all zero is read as the identity. A quaternion that is unit to rounding is left as it is. */
static dvc_quat dvci_quat_unit(dvc_quat q)
{
    dvc_real square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, largest;
    if (dvci_abs(square - 1) <= (DVCI_DOUBLE ? DVCI_R(7e-16) : DVCI_R(3e-7))) return q;
    if (!(square > (DVCI_DOUBLE ? DVCI_R(1e-280) : DVCI_R(1e-30))
          && dvci_finite(square))) { /* squares overflow or vanish, or it is zero */
        largest = dvci_max(dvci_max(dvci_abs(q.w), dvci_abs(q.x)), dvci_max(dvci_abs(q.y), dvci_abs(q.z)));
        if (!(largest > 0)) return dvci_quat(1, dvci_vec(0, 0, 0));
        q = dvci_quat_scale(q, 1 / dvci_power_of_two(largest));
        square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    }
    return dvci_quat_scale(q, 1 / dvci_sqrt(square));
}

static dvci_mat3 dvci_quat_matrix(dvc_quat q)
{
    dvci_mat3 m;
    m.x = dvci_vec(1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y - q.w * q.z), 2 * (q.x * q.z + q.w * q.y));
    m.y = dvci_vec(2 * (q.x * q.y + q.w * q.z), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z - q.w * q.x));
    m.z = dvci_vec(2 * (q.x * q.z - q.w * q.y), 2 * (q.y * q.z + q.w * q.x), 1 - 2 * (q.x * q.x + q.y * q.y));
    return m;
}

static dvc_vec3 dvci_rotate(dvc_quat q, dvc_vec3 v)
{
    dvc_vec3 u = dvci_quat_vec(q), t = dvci_scale(dvci_cross(u, v), 2);
    return dvci_add(dvci_madd(v, t, q.w), dvci_cross(u, t));
}

/* The quaternion of a rotation matrix, from its largest component. */
static dvc_quat dvci_matrix_quat(dvci_mat3 m)
{
    dvc_real w = m.x.x + m.y.y + m.z.z, x = m.x.x - m.y.y - m.z.z, y = m.y.y - m.x.x - m.z.z, z = m.z.z - m.x.x - m.y.y;
    dvc_vec3 odd = dvci_vec(m.z.y - m.y.z, m.x.z - m.z.x, m.y.x - m.x.y);
    dvc_vec3 even = dvci_vec(m.z.y + m.y.z, m.x.z + m.z.x, m.y.x + m.x.y);
    if (w >= x && w >= y && w >= z) return dvci_quat_unit(dvci_quat(1 + w, odd));
    if (x >= y && x >= z) return dvci_quat_unit(dvci_quat(odd.x, dvci_vec(1 + x, even.z, even.y)));
    if (y >= z) return dvci_quat_unit(dvci_quat(odd.y, dvci_vec(even.z, 1 + y, even.x)));
    return dvci_quat_unit(dvci_quat(odd.z, dvci_vec(even.y, even.x, 1 + z)));
}

/* The turn by the rotation vector r: angle |r| about r. */
static dvc_quat dvci_quat_exp(dvc_vec3 r)
{
    dvc_real angle = dvci_norm(r), s, c;
    if (!(angle > 0)) return dvci_quat(1, dvci_vec(0, 0, 0));
    dvci_sin_cos(angle / 2, &s, &c);
    return dvci_quat(c, dvci_scale(r, s / angle));
}

/* The rotation vector of a unit quaternion, |r| <= pi. */
static dvc_vec3 dvci_quat_log(dvc_quat q)
{
    dvc_vec3 v = dvci_quat_vec(q);
    dvc_real s = dvci_norm(v);
    if (!(s > 0)) return dvci_vec(0, 0, 0);
    return dvci_scale(v, 2 * (q.w < 0 ? dvci_atan2(-s, -q.w) : dvci_atan2(s, q.w)) / s);
}

/* Left Jacobian of the exponential: exp(r + d) = exp(J d) exp(r) to first order in d. */
DVCI_APART static dvci_mat3 dvci_exp_jacobian(dvc_vec3 r)
{
    dvc_real square = dvci_dot(r, r), angle = dvci_sqrt(square), s, c, a, b;
    dvci_mat3 k = dvci_skew(r), sum = dvci_diagonal(1, 1, 1);
    if (square < DVCI_R(1e-6)) {
        a = DVCI_R(0.5) - square / 24;
        b = DVCI_R(1.0) / 6 - square / 120;
    } else {
        dvci_sin_cos(angle, &s, &c);
        a = (1 - c) / square;
        b = (angle - s) / (square * angle);
    }
    sum = dvci_matmadd(sum, k, a);
    k = dvci_matmul(k, k);
    return dvci_matmadd(sum, k, b);
}

/* Two unit vectors that complete the unit vector n to a right-handed frame (t1, t2, n); t1 is the x axis laid into the
 * plane, or the y axis where x is nearly normal. */
static void dvci_tangents(dvc_vec3 n, dvc_vec3 *t1, dvc_vec3 *t2)
{
    dvc_vec3 axis = dvci_abs(n.x) > DVCI_R(0.9) ? dvci_vec(0, 1, 0) : dvci_vec(1, 0, 0);
    *t1 = dvci_unit(dvci_madd(axis, n, -dvci_dot(axis, n)));
    *t2 = dvci_cross(n, *t1);
}

/* y += s x, y = s x and x . y over n reals: unrolled so that compilers use vector registers without changing any bit. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__FMA__)
#pragma GCC push_options
#pragma GCC optimize("tree-slp-vectorize")
#endif
static void dvci_axpy(int n, dvc_real s, const dvc_real *DVCI_RESTRICT x, dvc_real *DVCI_RESTRICT y)
{
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        y[i] += s * x[i];
        y[i + 1] += s * x[i + 1];
        y[i + 2] += s * x[i + 2];
        y[i + 3] += s * x[i + 3];
    }
    for (; i < n; i++) y[i] += s * x[i];
}

static void dvci_scale_n(int n, dvc_real s, const dvc_real *DVCI_RESTRICT x, dvc_real *DVCI_RESTRICT y)
{
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        y[i] = s * x[i];
        y[i + 1] = s * x[i + 1];
        y[i + 2] = s * x[i + 2];
        y[i + 3] = s * x[i + 3];
    }
    for (; i < n; i++) y[i] = s * x[i];
}

static dvc_real dvci_dot_long(int n, const dvc_real *x, const dvc_real *y)
{
    dvc_real s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        s0 += x[i] * y[i];
        s1 += x[i + 1] * y[i + 1];
        s2 += x[i + 2] * y[i + 2];
        s3 += x[i + 3] * y[i + 3];
    }
    for (; i < n; i++) s0 += x[i] * y[i];
    return (s0 + s1) + (s2 + s3);
}

/* c -= a b, all w x w by rows, w = 3 or 6: a row of c stays in registers while it is worked on. */
static void dvci_block_take_3(const dvc_real *DVCI_RESTRICT a, const dvc_real *DVCI_RESTRICT b, dvc_real *DVCI_RESTRICT c)
{
    int i, k;
    for (i = 0; i < 3; i++, c += 3)
        for (k = 0; k < 3; k++) {
            dvc_real s = *a++;
            c[0] -= s * b[3 * k];
            c[1] -= s * b[3 * k + 1];
            c[2] -= s * b[3 * k + 2];
        }
}

static void dvci_block_take_6(const dvc_real *DVCI_RESTRICT a, const dvc_real *DVCI_RESTRICT b, dvc_real *DVCI_RESTRICT c)
{
    int i, k;
    for (i = 0; i < 6; i++, c += 6)
        for (k = 0; k < 6; k++) {
            dvc_real s = *a++;
            c[0] -= s * b[6 * k];
            c[1] -= s * b[6 * k + 1];
            c[2] -= s * b[6 * k + 2];
            c[3] -= s * b[6 * k + 3];
            c[4] -= s * b[6 * k + 4];
            c[5] -= s * b[6 * k + 5];
        }
}

static inline void dvci_block_take(int w, const dvc_real *a, const dvc_real *b, dvc_real *c)
{
    if (w == 3) dvci_block_take_3(a, b, c);
    else dvci_block_take_6(a, b, c);
}

/* c += s x y', a block of rank one. */
static void dvci_block_rank_one(int w, dvc_real s, const dvc_real *DVCI_RESTRICT x, const dvc_real *DVCI_RESTRICT y,
                                dvc_real *DVCI_RESTRICT c)
{
    int i;
    for (i = 0; i < w; i++) {
        dvc_real factor = s * x[i], *to = c + w * i;
        to[0] += factor * y[0];
        to[1] += factor * y[1];
        to[2] += factor * y[2];
        if (w == 3) continue;
        to[3] += factor * y[3];
        to[4] += factor * y[4];
        to[5] += factor * y[5];
    }
}
#if defined(__GNUC__) && !defined(__clang__) && defined(__FMA__)
#pragma GCC pop_options
#endif

/* A factor of few rows has short sums only: they are not worth a call. The bits are those of the long form. */
static inline dvc_real dvci_dot_n(int n, const dvc_real *x, const dvc_real *y)
{
    dvc_real sum = 0;
    int i;
    if (n >= 4) return dvci_dot_long(n, x, y);
    for (i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

static void dvci_fill(int n, dvc_real value, dvc_real *x)
{
    int i;
    for (i = 0; i < n; i++) x[i] = value;
}

static int dvci_imax(int a, int b) { return a > b ? a : b; }
static int dvci_imin(int a, int b) { return a < b ? a : b; }

/* A planar world knows neither z nor turns out of the plane. */
static dvc_vec3 dvci_flat(dvc_vec3 v, bool planar)
{
    if (planar) v.z = 0;
    return v;
}

/* ------------------------------------------------------------------------------------------------
 * >>check  is the input sound?
 * ------------------------------------------------------------------------------------------------ */
/* A number that an enumeration has? Some compilers give it a type without a sign. */
static bool dvci_is_kind(int kind, int count) { return kind >= 0 && kind < count; }

/* Is arithmetic IEEE's, so that bits are the same everywhere? Not every flag that spoils it can be seen before compilation, and a
 * library may have set the processor. The operands are volatile, so that the compiler knows nothing of them, and there are no
 * branches between the divisions, so that it may share a reciprocal if it does so elsewhere. */
static bool dvci_arithmetic_is_exact(void)
{
#if defined(DVC_ALLOW_FAST_MATH)
    return true;
#else
    const dvc_real ulp = DVCI_DOUBLE ? DVCI_R(2.220446049250313e-16) : DVCI_R(1.1920928955078125e-7), large = 4 / ulp;
    volatile dvc_real given[4] = { 1, 3, DVCI_DOUBLE ? DVCI_R(2.2250738585072014e-308) : DVCI_R(1.17549435082228751e-38), DVCI_R(-0.0) };
    dvc_real one = given[0], three = given[1], least = given[2], more = one + ulp, five = 5 * one, small = DVCI_R(1.5) * least;
    dvc_real a = five / three, b = 7 * one / three, c = 10 * one / three, zero = 0, sum = given[3] + zero;
    int twice = (more * more - (1 + 2 * ulp) == 0) & ((one + large) - large == 0);        /* rounded after each operation, */
    int nearest = (one + ulp / 4 == one) & (one - ulp / 8 == one) & (small - least > 0);  /* to what is nearest */
    if (memcmp(&sum, &zero, sizeof sum) != 0) return false;                               /* 0, not -0 */
    return (twice & nearest & (a == DVCI_R(5 / 3.)) & (b == DVCI_R(7 / 3.)) & (c == DVCI_R(10 / 3.)) & (five / 3 == a)) != 0;
#endif
}

/* A number >= 0; a mass, a moment or the like; a size. */
static bool dvci_is_plain(dvc_real x) { return x >= 0 && x <= DVC_LARGEST; }
static bool dvci_is_weight(dvc_real x) { return x >= 1 / DVC_HEAVIEST && x <= DVC_HEAVIEST; }
static bool dvci_is_size(dvc_real x) { return x >= 1 / DVC_LARGEST && x <= DVC_LARGEST; }

/* A vector that has a direction; a quaternion that is a turn, or all 0. */
static bool dvci_is_direction(dvc_vec3 v)
{
    return dvci_within_vec(v, DVC_LARGEST) && !dvci_within_vec(v, 1 / DVC_LARGEST);
}

static bool dvci_is_turn(dvc_quat q)
{
    dvc_vec3 v = dvci_quat_vec(q);
    if (q.w == 0) return dvci_zero_vec(v) || dvci_is_direction(v);
    return dvci_within(q.w, DVC_LARGEST) && dvci_within_vec(v, DVC_LARGEST) && (dvci_abs(q.w) >= 1 / DVC_LARGEST || dvci_is_direction(v));
}

static bool dvci_check_support(const dvc_support *support)
{
    dvc_real share[3];
    int i;
    for (i = 0; i < 3; i++)
        if (!dvci_within(support->points[i].x, DVC_LARGEST) || !dvci_within(support->points[i].y, DVC_LARGEST)) return false;
    return dvci_is_plain(support->friction) && dvci_support_shares(support, share);
}

static bool dvci_check_pose(const dvc_body *body)
{
    return dvci_within_vec(body->position, DVC_LARGEST) && dvci_is_turn(body->orientation);
}

static dvc_status dvci_check_body(const dvc_world *world, const dvc_body *body)
{
    dvc_vec3 m = body->inertia;
    if (body->disabled) return DVC_OK;
    if (!dvci_is_kind((int)body->kind, DVC_KINEMATIC + 1)) return DVC_ERROR_BODY_KIND;
    if (!dvci_check_pose(body) || !dvci_within_vec(body->velocity, DVC_LARGEST)
        || !dvci_within_vec(body->angular_velocity, DVC_LARGEST)) return DVC_ERROR_BODY_STATE;
    if (world->planar && (body->orientation.x != 0 || body->orientation.y != 0)) return DVC_ERROR_BODY_TILTED;
    if (body->kind != DVC_DYNAMIC) return DVC_OK;
    if (!dvci_is_weight(body->mass)) return DVC_ERROR_BODY_MASS;
    if (!dvci_within_vec(body->force, DVC_HEAVIEST) || !dvci_within_vec(body->torque, DVC_HEAVIEST)) return DVC_ERROR_BODY_FORCE;
    if (!dvci_finite_vec(m)) return DVC_ERROR_BODY_INERTIA;
    if (!dvci_is_plain(body->linear_damping) || !dvci_is_plain(body->angular_damping)) return DVC_ERROR_DAMPING;
    if (body->support && (!world->planar || !dvci_check_support(body->support))) return DVC_ERROR_SUPPORT;
    if (world->planar ? m.z == 0 : dvci_zero_vec(m)) return DVC_OK;
    return dvci_is_weight(m.z) && (world->planar || (dvci_is_weight(m.x) && dvci_is_weight(m.y))) ? DVC_OK : DVC_ERROR_BODY_INERTIA;
}

static bool dvci_check_points(const dvc_shape *shape)
{
    dvc_real width = 0;
    int i, n = shape->point_count;
    if (!shape->points || n < 3 || n > DVC_WORLD_MAX_COUNT) return false;
    for (i = 0; i < n; i++) {
        dvc_vec2 p = shape->points[i];
        if (!dvci_within(p.x, DVC_LARGEST) || !dvci_within(p.y, DVC_LARGEST)) return false;
        width = dvci_max(width, dvci_max(dvci_abs(p.x - shape->points[0].x), dvci_abs(p.y - shape->points[0].y)));
    }
    return width >= 1 / DVC_LARGEST;
}

/* Left at every corner, and once round: edges begin to rise once. */
static dvc_status dvci_check_polygon(const dvc_shape *shape)
{
    int i, n = shape->point_count, rises = 0;
    if (!dvci_check_points(shape)) return DVC_ERROR_SHAPE_POLYGON;
    for (i = 0; i < n; i++) {
        dvc_vec2 a = shape->points[i], b = shape->points[(i + 1) % n], c = shape->points[(i + 2) % n];
        dvc_real turn = (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x);
        if (!(turn > 0)) return DVC_ERROR_SHAPE_POLYGON;
        rises += b.y <= a.y && c.y > b.y;
    }
    return rises == 1 ? DVC_OK : DVC_ERROR_SHAPE_POLYGON;
}

/* Counts that a hull can have. */
static bool dvci_hull_counts(const dvc_polytope *p)
{
    int v = p->vertex_count, e = p->edge_count, f = p->face_count;
    return v >= 4 && v <= DVC_POLYTOPE_MAX_POINTS && e >= 6 && e <= 3 * v && f >= 4 && f <= 2 * v && v - e + f == 2;
}

static dvc_status dvci_check_polytope(const dvc_shape *shape)
{
    const dvc_polytope *p = shape->polytope;
    return p && p->vertices && p->edges && p->faces && p->loops && p->around && p->around_first && dvci_hull_counts(p)
               ? DVC_OK : DVC_ERROR_SHAPE_POLYTOPE;
}

/* The shape itself, whatever body it is on. */
static dvc_status dvci_check_form(bool planar, const dvc_shape *shape)
{
    dvc_vec3 h = shape->half;
    if (shape->kind == (planar ? DVC_POLYTOPE : DVC_POLYGON)) return DVC_ERROR_SHAPE_KIND;
    if (!dvci_within_vec(shape->position, DVC_LARGEST) || !dvci_is_turn(shape->orientation)
        || !dvci_within_vec(shape->surface_velocity, DVC_LARGEST))
        return DVC_ERROR_SHAPE_POSE;
    if (planar && (shape->orientation.x != 0 || shape->orientation.y != 0)) return DVC_ERROR_SHAPE_POSE;
    if (!dvci_is_plain(shape->friction)) return DVC_ERROR_SHAPE_FRICTION;
    if (!(shape->restitution >= 0 && shape->restitution <= 1)) return DVC_ERROR_RESTITUTION;
    switch (shape->kind) {
    case DVC_SPHERE: return shape->radius == 0 || dvci_is_size(shape->radius) ? DVC_OK : DVC_ERROR_SHAPE_SIZE;
    case DVC_PLANE:
        if (!dvci_is_direction(shape->normal)) return DVC_ERROR_SHAPE_NORMAL;
        return planar && shape->normal.z != 0 ? DVC_ERROR_SHAPE_NORMAL : DVC_OK;
    case DVC_BOX:
        return dvci_is_size(h.x) && dvci_is_size(h.y) && (planar ? dvci_within(h.z, DVC_LARGEST) : dvci_is_size(h.z))
                   ? DVC_OK : DVC_ERROR_SHAPE_SIZE;
    case DVC_POLYTOPE: return dvci_check_polytope(shape);
    case DVC_POLYGON: return dvci_check_polygon(shape);
    default: return DVC_ERROR_SHAPE_KIND;
    }
}

static dvc_status dvci_check_shape(const dvc_world *world, const dvc_shape *shape, int terrain_bodies)
{
    if (shape->kind == DVC_NO_SHAPE || shape->disabled) return DVC_OK;
    if (!dvci_is_kind((int)shape->kind, DVC_SHAPE_KIND_COUNT)) return DVC_ERROR_SHAPE_KIND;
    if (shape->body < 0 || shape->body >= world->body_count) return DVC_ERROR_SHAPE_BODY;
    if (shape->body < terrain_bodies) return DVC_ERROR_TERRAIN;
    return world->bodies[shape->body].disabled ? DVC_OK : dvci_check_form(world->planar, shape);
}

/* Can its body and its points be found? Its numbers may be set later. */
static bool dvci_check_place(const dvc_world *world, const dvc_shape *shape)
{
    if (shape->kind == DVC_NO_SHAPE || shape->disabled) return true;
    if (!dvci_is_kind((int)shape->kind, DVC_SHAPE_KIND_COUNT)) return false;
    if (shape->kind == (world->planar ? DVC_POLYTOPE : DVC_POLYGON)) return false;
    if (shape->body < 0 || shape->body >= world->body_count) return false;
    if (world->bodies[shape->body].disabled) return true;
    if (shape->kind == DVC_POLYTOPE) return dvci_check_polytope(shape) == DVC_OK;
    return shape->kind != DVC_POLYGON
        || (shape->points && shape->point_count >= 3 && shape->point_count <= DVC_WORLD_MAX_COUNT);
}

/* 0 leaves the choice to the world, or to the engine. Two do not span a plane. */
static bool dvci_check_directions(bool planar, int count)
{
    return count == 0 || (count >= (planar ? 1 : 3) && count <= DVC_MAX_FRICTION_DIRECTIONS);
}

static bool dvci_check_bodies(const dvc_world *world, int a, int b)
{
    return a >= 0 && a < world->body_count && b >= 0 && b < world->body_count && a != b;
}

static dvc_status dvci_check_axis(const dvc_axis *axis)
{
    if (!(axis->friction >= 0) || !dvci_within(axis->friction, DVC_HEAVIEST) || !dvci_within(axis->force, DVC_HEAVIEST)
        || !dvci_within(axis->speed, DVC_LARGEST) || !dvci_within(axis->position, DVC_LARGEST))
        return DVC_ERROR_JOINT_AXIS;
    if (!(axis->effort >= 0) || (axis->effort > DVC_HEAVIEST && axis->effort < DVC_INFINITY)) return DVC_ERROR_JOINT_AXIS;
    if (!axis->limited) return DVC_OK;
    if (!(axis->lower <= axis->upper)) return DVC_ERROR_JOINT_AXIS;
    return (dvci_within(axis->lower, DVC_LARGEST) || axis->lower <= -DVC_INFINITY)
            && (dvci_within(axis->upper, DVC_LARGEST) || axis->upper >= DVC_INFINITY) ? DVC_OK : DVC_ERROR_JOINT_AXIS;
}

static dvc_status dvci_check_joint(const dvc_world *world, const dvc_joint *joint)
{
    dvc_status status;
    if (joint->kind == DVC_NO_JOINT || joint->disabled) return DVC_OK;
    if (!dvci_is_kind((int)joint->kind, DVC_JOINT_KIND_COUNT)) return DVC_ERROR_JOINT_KIND;
    if (!dvci_check_bodies(world, joint->body_a, joint->body_b)) return DVC_ERROR_JOINT_BODY;
    if (!dvci_within_vec(joint->anchor_a, DVC_LARGEST) || !dvci_within_vec(joint->anchor_b, DVC_LARGEST)
        || !dvci_is_turn(joint->frame_a) || !dvci_is_turn(joint->frame_b))
        return DVC_ERROR_JOINT_FRAME;
    status = dvci_check_axis(&joint->turn);
    return status == DVC_OK ? dvci_check_axis(&joint->slide) : status;
}

static dvc_status dvci_check_spring(const dvc_world *world, const dvc_spring *spring)
{
    if (spring->disabled || (spring->stiffness == 0 && spring->damping == 0)) return DVC_OK;
    if (!dvci_check_bodies(world, spring->body_a, spring->body_b)
        || (spring->stiffness != 0 && !dvci_is_weight(spring->stiffness))
        || (spring->damping != 0 && !dvci_is_weight(spring->damping)) || !dvci_within(spring->length, DVC_LARGEST)
        || !dvci_within_vec(spring->anchor_a, DVC_LARGEST) || !dvci_within_vec(spring->anchor_b, DVC_LARGEST))
        return DVC_ERROR_SPRING;
    return DVC_OK;
}

static dvc_status dvci_check_rule(const dvc_world *world, const dvc_pair_rule *rule)
{
    int a = rule->body_a, b = rule->body_b;
    if (a < 0 || b < 0 || a >= world->body_count || b >= world->body_count) return DVC_ERROR_PAIR_RULE;
    if (rule->set_friction && !dvci_is_plain(rule->friction)) return DVC_ERROR_PAIR_RULE;
    if (rule->set_restitution && !(rule->restitution >= 0 && rule->restitution <= 1)) return DVC_ERROR_RESTITUTION;
    if (!dvci_check_directions(world->planar, rule->friction_directions)) return DVC_ERROR_PAIR_RULE;
    return dvci_within(rule->tangent_angle, DVC_LARGEST) ? DVC_OK : DVC_ERROR_PAIR_RULE;
}

static bool dvci_check_count(int count) { return count >= 0 && count <= DVC_WORLD_MAX_COUNT; }

/* Can the arrays be walked at all? */
static dvc_status dvci_check_arrays(const dvc_world *world)
{
    if (!dvci_check_count(world->body_count) || !dvci_check_count(world->shape_count) || !dvci_check_count(world->joint_count)
        || !dvci_check_count(world->spring_count) || !dvci_check_count(world->pair_rule_count)
        || !dvci_check_count(world->contact_capacity) || world->contact_count < 0
        || world->contact_count > world->contact_capacity)
        return DVC_ERROR_COUNT;
    if (!world->bodies || (world->shape_count > 0 && !world->shapes) || (world->joint_count > 0 && !world->joints)
        || (world->spring_count > 0 && !world->springs)
        || (world->pair_rule_count > 0 && !world->pair_rules) || (world->contact_capacity > 0 && !world->contacts))
        return DVC_ERROR_NULL;
    return DVC_OK;
}

static dvc_status dvci_check_options(const dvc_world *world)
{
    dvc_status status = dvci_check_arrays(world);
    if (status != DVC_OK) return status;
    if (!dvci_within_vec(world->gravity, DVC_LARGEST)) return DVC_ERROR_GRAVITY;
    if (!dvci_is_kind((int)world->contact_model, DVC_CONTACT_MODEL_COUNT) || !dvci_is_kind((int)world->solver, DVC_SOLVER_COUNT)
        || !dvci_is_kind((int)world->time_stepping, DVC_TIME_STEPPING_COUNT))
        return DVC_ERROR_OPTION;
    if (!dvci_check_directions(world->planar, world->friction_directions) || world->friction_directions == 1
        || !dvci_within(world->tangent_angle, DVC_LARGEST))
        return DVC_ERROR_OPTION;
    if (world->collide && world->contact_model != DVC_PEG) return DVC_ERROR_STAGE;
    if (world->solve && world->solver != DVC_AUTO) return DVC_ERROR_STAGE;
    if (world->direct_bodies < 0 || world->iterations < 0 || world->threads < 0) return DVC_ERROR_OPTION;
    if (!dvci_is_plain(world->epsilon) || !dvci_is_plain(world->recovery_speed)
        || (world->tolerance != 0 && !dvci_is_size(world->tolerance)))
        return DVC_ERROR_OPTION;
    if (!(world->time_budget >= 0 && world->time_budget <= (double)DVC_LARGEST)) return DVC_ERROR_OPTION;
    return world->time <= (double)DVC_LARGEST && world->time >= -(double)DVC_LARGEST ? DVC_OK : DVC_ERROR_TIME;
}

static const dvci_terrain *dvci_terrain_of(const dvc_world *world)
{
    return world->terrain ? (const dvci_terrain *)world->terrain->layout : NULL;
}

static int dvci_terrain_bodies(const dvc_world *world) { return world->terrain ? world->terrain->body_count : 0; }
static int dvci_terrain_shapes(const dvc_world *world) { return world->terrain ? world->terrain->shape_count : 0; }

static bool dvci_terrain_fits(const dvc_world *world)
{
    const dvc_terrain *t = world->terrain;
    if (!t) return true;
    return t->layout && t->body_count >= 0 && t->body_count <= world->body_count && t->shape_count >= 0
        && t->shape_count <= world->shape_count && dvci_terrain_of(world)->planar == world->planar;
}

/* Is there what the size of scratch depends on? */
static bool dvci_check_layout(const dvc_world *world)
{
    int i;
    if (!world || dvci_check_arrays(world) != DVC_OK || !dvci_terrain_fits(world) || world->direct_bodies < 0) return false;
    if (!dvci_check_directions(world->planar, world->friction_directions)) return false;
    for (i = dvci_terrain_shapes(world); i < world->shape_count; i++)
        if (!dvci_check_place(world, &world->shapes[i])) return false;
    for (i = 0; i < world->pair_rule_count; i++)
        if (!dvci_check_directions(world->planar, world->pair_rules[i].friction_directions)) return false;
    return true;
}

/* First error found; `culprit` tells where. */
static dvc_status dvci_check(const dvc_world *world, int *culprit)
{
    dvc_status status = dvci_arithmetic_is_exact() ? dvci_check_options(world) : DVC_ERROR_ARITHMETIC;
    int i, bodies;
    *culprit = -1;
    if (status != DVC_OK) return status;
    if (!dvci_terrain_fits(world)) return DVC_ERROR_TERRAIN;
    bodies = dvci_terrain_bodies(world);
    for (i = bodies; i < world->body_count; i++)
        if ((status = dvci_check_body(world, &world->bodies[i])) != DVC_OK) { *culprit = i; return status; }
    for (i = dvci_terrain_shapes(world); i < world->shape_count; i++)
        if ((status = dvci_check_shape(world, &world->shapes[i], bodies)) != DVC_OK) { *culprit = i; return status; }
    for (i = 0; i < world->joint_count; i++)
        if ((status = dvci_check_joint(world, &world->joints[i])) != DVC_OK) { *culprit = i; return status; }
    for (i = 0; i < world->spring_count; i++)
        if ((status = dvci_check_spring(world, &world->springs[i])) != DVC_OK) { *culprit = i; return status; }
    for (i = 0; i < world->pair_rule_count; i++)
        if ((status = dvci_check_rule(world, &world->pair_rules[i])) != DVC_OK) { *culprit = i; return status; }
    return DVC_OK;
}

static bool dvci_check_step_size(const dvc_world *world, dvc_real h)
{
    return dvci_is_size(h) && world->time + (double)h <= (double)DVC_LARGEST;
}

DVC_API dvc_status dvc_world_check(dvc_world *world)
{
    return world ? dvci_check(world, &world->culprit) : DVC_ERROR_NULL;
}

/* ------------------------------------------------------------------------------------------------
 * >>body  bodies: start of the step, free motion, end of the step
 * ------------------------------------------------------------------------------------------------
 * A step has three velocities. The *start* velocity is the user's. Forces and contacts change it at the start pose,
 *
 *     v = v_start + (h f + sum p) / m + h g,        w = w_start + J^-1 (h tau + sum r x p),
 *
 * which is the velocity of all equations below ("the velocity"): impulses and energy are exact in it. With it the body
 * then moves freely for h. A body that turns about no principal axis changes its w on the way; the *displacement* is
 * h v and a turn by h W, where W is the mean over that motion; `gyro` = W - w.
 *
 * Free rotation keeps angular momentum and energy, both to rounding: with body-frame velocities W0 and W1 at the ends,
 * the turn is exp(h (W0 + W1) / 2), and J W1 = exp(..)^-1 J W0. (Momentum: by construction. Energy: the axis of the turn
 * is W0 + W1, so (W0 + W1) . (J W1 - J W0) = 0.) About a principal axis the turn is exactly h w. Fast spinners take
 * several such motions in a row.
 */

/* Angles that no direction is fine enough for: no turn at all. */
#if DVCI_DOUBLE
#define DVCI_TURN_ROUND DVCI_R(2e-17)
#else
#define DVCI_TURN_ROUND DVCI_R(1e-8)
#endif

typedef struct dvci_spin {
    dvc_quat turn;     /* world axes */
    dvc_vec3 w;        /* at the end */
    dvci_mat3 mean_by_w; /* d(mean w) / d(w at the start) */
} dvci_spin;

/* exp(-r) v */
static dvc_vec3 dvci_turn_back(dvc_vec3 r, dvc_vec3 v) { return dvci_rotate(dvci_quat_conj(dvci_quat_exp(r)), v); }

/* d(turned back J W0) / dW1 = -h / 2 [turned back J W0] times the transposed Jacobian of exp */
DVCI_APART static dvci_mat3 dvci_spin_bend(dvc_vec3 back, dvc_vec3 mean, dvc_real h)
{
    dvci_mat3 slope = dvci_transpose(dvci_exp_jacobian(mean));
    return dvci_matmul(dvci_skew(dvci_scale(back, h / 2)), slope);
}

/* dW1 / dW0 where Newton's method has ended: `left` by W1 and `bend` are its matrices. */
DVCI_APART static void dvci_spin_slope(dvc_vec3 moments, dvc_vec3 turn, const dvci_mat3 *left, const dvci_mat3 *bend, dvci_mat3 *by)
{
    dvci_mat3 right = dvci_diagonal(moments.x, moments.y, moments.z);
    dvc_vec3 column[3];
    int k;
    *by = dvci_quat_matrix(dvci_quat_conj(dvci_quat_exp(turn)));
    right = dvci_matmul(*by, right);
    right = dvci_matmadd(right, *bend, 1);
    for (k = 0; k < 3; k++) column[k] = dvci_solve3(*left, dvci_mul(right, dvci_vec(k == 0, k == 1, k == 2)));
    by->x = column[0]; by->y = column[1]; by->z = column[2];
    *by = dvci_transpose(*by);
}

/* One free motion in the body's frame: W1 from W0 by Newton's method; `by` receives dW1 / dW0. */
DVCI_APART static dvc_vec3 dvci_spin_once(dvc_vec3 moments, dvc_vec3 w0, dvc_real h, dvci_mat3 *by)
{
    dvci_mat3 inertia = dvci_diagonal(moments.x, moments.y, moments.z), bend, left;
    dvc_vec3 start = dvci_mul(inertia, w0), w1 = w0, back, mean;
    dvc_real last = DVC_INFINITY;
    int k;
    for (k = 0; k < 20; k++) {
        dvc_vec3 step;
        dvc_real size;
        mean = dvci_scale(dvci_add(w0, w1), h / 2);
        back = dvci_turn_back(mean, start);
        bend = dvci_spin_bend(back, mean, h);
        left = dvci_matmadd(inertia, bend, -1);
        step = dvci_solve3(left, dvci_sub(back, dvci_mul(inertia, w1)));
        size = dvci_norm(step);
        if (!(size < last)) break; /* rounding has the word */
        last = size;
        w1 = dvci_add(w1, step);
    }
    dvci_spin_slope(moments, dvci_scale(dvci_add(w0, w1), h / 2), &left, &bend, by);
    return w1;
}

/* What W1 does to the mean of W0 and W1, in world axes. */
DVCI_APART static void dvci_spin_mean(dvc_quat q, dvci_mat3 *by)
{
    dvci_mat3 r = dvci_diagonal(DVCI_R(0.5), DVCI_R(0.5), DVCI_R(0.5));
    *by = dvci_matmadd(r, *by, DVCI_R(0.5));
    r = dvci_quat_matrix(q);
    *by = dvci_congruent(r, *by);
}

/* Free motion over h from the orientation q and the world velocity w. */
static dvci_spin dvci_spin_free(dvc_vec3 moments, dvc_quat q, dvc_vec3 w, dvc_real h)
{
    dvci_spin spin;
    dvc_quat to_body = dvci_quat_conj(q), turn = dvci_quat(1, dvci_vec(0, 0, 0));
    dvc_vec3 inner = dvci_rotate(to_body, w), next;
    dvc_real angle = dvci_norm(w) * h;
    int parts = angle < 32 ? 1 + (int)(2 * angle) : 64, k;
    for (k = 0; k < parts; k++) {
        next = dvci_spin_once(moments, inner, h / (dvc_real)parts, &spin.mean_by_w);
        turn = dvci_quat_mul(turn, dvci_quat_exp(dvci_scale(dvci_add(inner, next), h / (dvc_real)(2 * parts))));
        inner = next;
    }
    if (parts > 1) spin.mean_by_w = dvci_diagonal(1, 1, 1);
    dvci_spin_mean(q, &spin.mean_by_w);
    spin.turn = dvci_quat_unit(dvci_quat_mul(dvci_quat_mul(q, turn), to_body));
    spin.w = dvci_rotate(q, dvci_rotate(turn, inner));
    return spin;
}

/* What the spin does to the turn: by way of the mean spin. */
DVCI_APART static void dvci_body_lever(dvci_body *body, dvc_real h)
{
    dvci_mat3 slope = dvci_exp_jacobian(dvci_scale(body->displacement, h));
    body->lever = dvci_matmul(slope, body->lever);
}

/* Where the body is after h with its velocity, and what it turns with there. */
static void dvci_body_move(dvci_body *body, dvc_real h)
{
    dvc_quat turn;
    body->end.x = dvci_madd(body->x, body->v, h);
    body->w_end = body->w;
    body->displacement = body->w;
    body->lever = dvci_diagonal(1, 1, 1);
    if (!body->turns || dvci_dot(body->w, body->w) * h * h <= DVCI_TURN_ROUND * DVCI_TURN_ROUND) {
        body->displacement = dvci_vec(0, 0, 0);
        body->end.turn = body->lever;
        body->q_end = body->q;
        return;
    }
    if (body->round) {
        turn = dvci_quat_exp(dvci_scale(body->w, h));
    } else {
        dvci_spin spin = dvci_spin_free(body->moments, body->q, body->w, h);
        turn = spin.turn;
        body->w_end = spin.w;
        body->lever = spin.mean_by_w;
        body->displacement = dvci_scale(dvci_quat_log(turn), 1 / h);
    }
    dvci_body_lever(body, h);
    body->end.turn = dvci_quat_matrix(turn);
    body->q_end = dvci_quat_unit(dvci_quat_mul(turn, body->q));
}

/* J^-1 in world axes. In a planar world only the turn about z is left: this and the width of a row are all that tells
 * 2D from 3D. */
static dvci_mat3 dvci_inverse_inertia(dvc_vec3 moments, dvc_quat q, bool planar)
{
    dvci_mat3 r, d;
    if (planar) return dvci_diagonal(0, 0, 1 / moments.z);
    if (moments.x == moments.y && moments.y == moments.z) return dvci_diagonal(1 / moments.x, 1 / moments.x, 1 / moments.x);
    r = dvci_quat_matrix(q);
    d = dvci_diagonal(1 / moments.x, 1 / moments.y, 1 / moments.z);
    return dvci_matmul(dvci_matmul(r, d), dvci_transpose(r));
}

/* 1/2 m v^2 + 1/2 w J w, w in world axes at orientation q. */
static dvc_real dvci_kinetic(dvc_real mass, dvc_vec3 moments, dvc_vec3 v, dvc_quat q, dvc_vec3 w)
{
    bool even = moments.x == moments.y && moments.y == moments.z;
    dvc_vec3 own = even || dvci_zero_vec(w) ? w : dvci_rotate(dvci_quat_conj(q), w);
    return (mass * dvci_dot(v, v) + moments.x * own.x * own.x + moments.y * own.y * own.y + moments.z * own.z * own.z) / 2;
}

/* J v in world axes */
static dvc_vec3 dvci_inertia_times(const dvci_body *body, dvc_vec3 v)
{
    dvc_vec3 own = dvci_rotate(dvci_quat_conj(body->q), v), m = body->moments;
    return dvci_rotate(body->q, dvci_vec(m.x * own.x, m.y * own.y, m.z * own.z));
}

/* Damping acts on the velocity of the step's end, so that any is stable and a body at rest presses with its weight: as if mass
 * and inertia were larger by 1 + h damping. */
static void dvci_body_damp(dvci_body *body, const dvc_body *user, dvc_real h)
{
    dvc_real linear = 1 / (1 + h * user->linear_damping), angular = 1 / (1 + h * user->angular_damping);
    body->v_free = dvci_scale(body->v_free, linear);
    body->inverse_mass *= linear;
    if (user->angular_damping == 0) return;
    body->w_free = dvci_scale(body->w_free, angular);
    body->inverse_inertia = dvci_matmul(dvci_diagonal(angular, angular, angular), body->inverse_inertia);
}

/* How long forces act before bodies are moved: in the step in time for half of it, and for the other half where they have come to. */
static dvc_real dvci_kick(const dvci_step *s) { return s->at_end ? s->h / 2 : s->h; }

/* The velocity with which a body ends that nothing touches: the forces' second kick. */
static void dvci_body_coast(const dvci_step *s, int index)
{
    dvci_body *body = &s->bodies[index];
    const dvc_body *user = &s->world->bodies[index];
    dvc_real h = s->h - dvci_kick(s), angular = 1 / (1 + h * user->angular_damping);
    body->v_out = dvci_sub(body->v, body->jump_v);
    body->w_out = dvci_sub(body->w_end, body->jump_w);
    if (h == 0) return;
    body->v_out = dvci_madd(dvci_madd(body->v_out, body->force, h / user->mass), dvci_flat(s->world->gravity, s->world->planar), h);
    body->v_out = dvci_scale(body->v_out, 1 / (1 + h * user->linear_damping));
    if (!body->turns) return;
    if (!dvci_zero_vec(body->torque)) {
        dvci_mat3 inverse = dvci_inverse_inertia(body->moments, body->q_end, s->world->planar);
        body->w_out = dvci_madd(body->w_out, dvci_mul(inverse, body->torque), h);
    }
    body->w_out = dvci_scale(body->w_out, angular);
}

/* Forces act; free velocities and gyro follow. */
static void dvci_body_free(const dvci_step *s, int index)
{
    dvci_body *body = &s->bodies[index];
    dvc_vec3 gravity = dvci_flat(s->world->gravity, s->world->planar);
    dvc_real h = dvci_kick(s);
    body->gyro = body->hit_v = body->hit_w = body->jump_v = body->jump_w = dvci_vec(0, 0, 0);
    body->inverse_mass = 1 / s->world->bodies[index].mass;
    body->added_inertia = dvci_diagonal(0, 0, 0);
    body->stiff = false;
    body->spin_around = dvci_vec(0, 0, 0);
    body->stiff_around = 0;
    body->inverse_inertia = body->turns ? dvci_inverse_inertia(body->moments, body->q, s->world->planar) : dvci_diagonal(0, 0, 0);
    body->v_free = dvci_madd(dvci_madd(body->v_start, body->force, h * body->inverse_mass), gravity, h);
    body->w_free = body->turns ? dvci_madd(body->w_start, dvci_mul(body->inverse_inertia, body->torque), h) : dvci_vec(0, 0, 0);
    dvci_body_damp(body, &s->world->bodies[index], h);
    body->v = body->v_free;
    body->w = body->w_free;
    dvci_body_move(body, s->h);
    if (!body->round) body->gyro = dvci_sub(body->displacement, body->w);
    dvci_body_coast(s, index);
}

/* Velocity at the end of a motion, by differences. At the start it was as much less than the mean one as it is more. */
static void dvci_motion_end(const dvc_body *user, double t, dvc_real h, dvci_body *body)
{
    const double part = (double)h / 64;
    dvc_vec3 x0 = body->x, x1 = body->x;
    dvc_quat q0 = body->q, q1 = body->q;
    user->motion(user->user, (dvc_real)(t - part), &x0, &q0);
    user->motion(user->user, (dvc_real)(t + part), &x1, &q1);
    body->v_out = dvci_scale(dvci_sub(x1, x0), (dvc_real)(0.5 / part));
    body->w_out = dvci_quat_log(dvci_quat_mul(dvci_quat_unit(q1), dvci_quat_conj(dvci_quat_unit(q0))));
    body->w_out = dvci_scale(body->w_out, (dvc_real)(0.5 / part));
    body->v_start = dvci_sub(dvci_scale(body->v, 2), body->v_out);
    body->w_start = dvci_sub(dvci_scale(body->w, 2), body->w_out);
}

/* Pose and velocity of a body that is not dynamic, from time t over h. */
static void dvci_body_given(dvci_step *s, int index, double t, dvc_real h)
{
    const dvc_body *user = &s->world->bodies[index];
    dvci_body *body = &s->bodies[index];
    dvc_vec3 x;
    dvc_quat q, turn;
    body->v = user->kind == DVC_KINEMATIC ? user->velocity : dvci_vec(0, 0, 0);
    body->w = user->kind == DVC_KINEMATIC ? user->angular_velocity : dvci_vec(0, 0, 0);
    if (s->world->planar) {
        body->v.z = 0;
        body->w = dvci_vec(0, 0, body->w.z);
    }
    body->x = x = dvci_flat(user->position, s->world->planar);
    body->q = q = dvci_quat_unit(user->orientation);
    if (user->kind == DVC_KINEMATIC && user->motion) {
        user->motion(user->user, (dvc_real)t, &body->x, &body->q);
        user->motion(user->user, (dvc_real)(t + (double)h), &x, &q);
        body->q = dvci_quat_unit(body->q);
        q = dvci_quat_unit(q);
        body->v = dvci_scale(dvci_sub(x, body->x), 1 / h);
        turn = dvci_quat_mul(q, dvci_quat_conj(body->q));
        body->w = dvci_scale(dvci_quat_log(turn), 1 / h);
        if (!dvci_within_vec(body->x, DVC_LARGEST) || !dvci_within_vec(x, DVC_LARGEST) || !dvci_finite_quat(q)
            || !dvci_finite_quat(body->q) || !dvci_within_vec(body->v, DVC_LARGEST) || !dvci_within_vec(body->w, DVC_LARGEST)
            || (s->world->planar && (q.x != 0 || q.y != 0 || body->q.x != 0 || body->q.y != 0))) {
            s->status = DVC_ERROR_MOTION;
            s->culprit = index;
            return;
        }
        if (s->world->planar) body->v.z = 0;
    } else if (t > s->world->time) { /* within the step */
        body->x = dvci_madd(body->x, body->v, (dvc_real)(t - s->world->time));
        body->q = dvci_quat_unit(dvci_quat_mul(dvci_quat_exp(dvci_scale(body->w, (dvc_real)(t - s->world->time))), body->q));
    }
    body->v_start = body->v_free = body->v_out = body->v;
    body->w_start = body->w_free = body->w_out = body->w;
    body->hit_v = body->hit_w = body->jump_v = body->jump_w = dvci_vec(0, 0, 0);
    body->turns = body->round = true;
    dvci_body_move(body, h);
    if (user->kind == DVC_KINEMATIC && user->motion) { /* exactly there */
        body->end.x = x;
        body->q_end = q;
        if (s->at_end) dvci_motion_end(user, t + (double)h, h, body);
        if (s->world->planar) body->v_out = dvci_flat(body->v_out, true);
    }
}

/* ------------------------------------------------------------------------------------------------
 * >>polytope  convex hulls
 * ------------------------------------------------------------------------------------------------
 * The hull of whole numbers first: the cloud is laid on a grid of 2^53 cells across, as fine as doubles are, where orientations
 * are exact, so that triangles added point by point always close, and no point is outside of any. What is flat within the
 * tolerance is then made one face: around the largest triangle left, as far as its plane holds. A vertex stays where three faces
 * meet. A face's normal is the mean of all that it is made of; where that would leave a point of the cloud outside, as with slivers,
 * whose normal is lost in rounding, it is the exact one of its largest triangle. Where faces do not close all the same, less is
 * flat, and at last only what is exactly so: these are the hull's own faces, which always close. Work: points times triangles.
 */
typedef struct dvci_triangle {
    int corner[3];           /* counter-clockwise seen from outside */
    int across[3];           /* the triangle behind the edge corner[k] -> corner[k + 1] */
    double normal[3];        /* of the grid's points, not of unit length, rounded */
    double slack;            /* a side of less, found by it, may be rounding */
    dvc_real area;           /* twice that of the true points; orders triangles */
    int face;                /* DVCI_TRIANGLE_... or the face it became part of */
    bool seen;               /* from the point that is being added */
} dvci_triangle;

enum { DVCI_TRIANGLE_FREE = -2, DVCI_TRIANGLE_LOOSE = -1, DVCI_NO_VERTEX = -2 };

typedef struct dvci_hull {
    const dvc_vec3 *cloud;   /* (cloud_count) the caller's */
    int cloud_count;
    int count;               /* points left after doubled ones were dropped */
    dvc_vec3 *points;        /* (count) relative to `centre` */
    double *grid;            /* (3 count) the same in cells: whole numbers, |x| <= 2^52 */
    int *source;             /* (count) index in the caller's cloud */
    dvc_vec3 centre;
    dvc_real tolerance;      /* what counts as flat */
    bool exact;              /* only what is exactly flat does */
    dvc_real limit;          /* farthest that a point may be outside of a face, or one of its own off it */
    dvc_real depth;          /* least extent of the cloud behind a face */
    dvc_vec3 *vertices;      /* (count) the result: vertices, edges, faces, loops, neighbours */
    dvc_edge *edges;         /* (3 count) */
    dvc_face *faces;         /* (2 count) */
    int *around, *around_first; /* (6 count), (count + 1) */
    int face_count;
    int *loops;              /* (6 count) */
    int *loop_face;          /* (6 count) face of each directed edge loops[k] -> next in its face */
    int loop_count;
    int *first_out, *next_out; /* (count), (6 count) directed edges leaving a point, as places in loops */
    dvci_triangle *triangles; /* (2 count) */
    int triangle_count;      /* places in use, free ones among them */
    int *seed;               /* (2 count) the triangle that a face grew from */
    int *spare, spare_count; /* (2 count) free places; later: triangles to be looked at */
    int *rim, rim_count;     /* (2 count) triangle and edge just outside of what is seen, packed */
    int *starts;             /* (count) the new triangle on the rim's edge that starts at a point; later: one at the point */
    int *number;             /* (count) of the vertex in the result */
} dvci_hull;

static void dvci_hull_carve(dvci_hull *h, int count, dvci_arena *arena)
{
    size_t n = (size_t)count;
    h->points = (dvc_vec3 *)dvci_alloc(arena, n, sizeof(dvc_vec3));
    h->grid = (double *)dvci_alloc(arena, 3 * n, sizeof(double));
    h->source = dvci_alloc_ints(arena, n);
    h->loop_face = dvci_alloc_ints(arena, 6 * n);
    h->first_out = dvci_alloc_ints(arena, n);
    h->next_out = dvci_alloc_ints(arena, 6 * n);
    h->triangles = (dvci_triangle *)dvci_alloc(arena, 2 * n, sizeof(dvci_triangle));
    h->seed = dvci_alloc_ints(arena, 2 * n);
    h->spare = dvci_alloc_ints(arena, 2 * n);
    h->rim = dvci_alloc_ints(arena, 2 * n);
    h->starts = dvci_alloc_ints(arena, n);
    h->number = dvci_alloc_ints(arena, n);
}

/* What stays in the caller's storage; carved first, so that the working memory lies behind it. */
static void dvci_hull_carve_result(dvci_hull *h, int count, dvci_arena *arena)
{
    size_t n = (size_t)count;
    h->vertices = (dvc_vec3 *)dvci_alloc(arena, n, sizeof(dvc_vec3));
    h->edges = (dvc_edge *)dvci_alloc(arena, 3 * n, sizeof(dvc_edge));
    h->faces = (dvc_face *)dvci_alloc(arena, 2 * n, sizeof(dvc_face));
    h->loops = dvci_alloc_ints(arena, 6 * n);
    h->around = dvci_alloc_ints(arena, 6 * n);
    h->around_first = dvci_alloc_ints(arena, n + 1);
}

static int dvci_loop_next(const dvci_hull *h, int k)
{
    const dvc_face *face = &h->faces[h->loop_face[k]];
    return k + 1 < face->first + face->count ? k + 1 : face->first;
}

/* Place in loops of the directed edge tail -> head, or -1. */
static int dvci_hull_find(const dvci_hull *h, int tail, int head)
{
    int k;
    for (k = h->first_out[tail]; k >= 0; k = h->next_out[k])
        if (h->loops[dvci_loop_next(h, k)] == head) return k;
    return -1;
}

/* Cells are a power of two, so that what is exact in the cloud stays so. */
static void dvci_hull_to_grid(dvci_hull *h, dvc_real extent)
{
    double cells = 4503599627370496.0 / (double)dvci_power_of_two(extent); /* 2^52 */
    int i, k;
    for (i = 0; i < h->count; i++) {
        double x[3];
        x[0] = (double)h->points[i].x * cells;
        x[1] = (double)h->points[i].y * cells;
        x[2] = (double)h->points[i].z * cells;
        for (k = 0; k < 3; k++) h->grid[3 * i + k] = (double)(int64_t)(x[k] < 0 ? x[k] - 0.5 : x[k] + 0.5);
    }
}

/* Copies the cloud without doubled points; the one that came first stays. */
static dvc_status dvci_hull_load(dvci_hull *h)
{
    dvc_vec3 low = h->cloud[0], high = h->cloud[0];
    dvc_real size;
    int i, k;
    for (i = 0; i < h->cloud_count; i++) {
        dvc_vec3 p = h->cloud[i];
        if (!dvci_within_vec(p, DVC_LARGEST)) return DVC_ERROR_HULL_NOT_FINITE;
        low = dvci_vec(dvci_min(low.x, p.x), dvci_min(low.y, p.y), dvci_min(low.z, p.z));
        high = dvci_vec(dvci_max(high.x, p.x), dvci_max(high.y, p.y), dvci_max(high.z, p.z));
    }
    h->centre = dvci_scale(dvci_add(low, high), DVCI_R(0.5));
    size = dvci_norm(dvci_sub(high, low));
    h->tolerance = size * (DVCI_DOUBLE ? DVCI_R(1e-9) : DVCI_R(1e-5));
    h->limit = 2 * h->tolerance;
    h->count = 0;
    for (i = 0; i < h->cloud_count; i++) {
        dvc_vec3 p = dvci_sub(h->cloud[i], h->centre);
        for (k = 0; k < h->count; k++)
            if (dvci_abs(h->points[k].x - p.x) <= h->tolerance && dvci_norm(dvci_sub(h->points[k], p)) <= h->tolerance) break;
        if (k < h->count) continue;
        h->source[h->count] = i;
        h->points[h->count++] = p;
    }
    if (!(size >= 1 / DVC_LARGEST) || h->count < 2) return DVC_ERROR_HULL_POINT;
    low = dvci_sub(high, low);
    dvci_hull_to_grid(h, dvci_max(low.x, dvci_max(low.y, low.z)));
    return DVC_OK;
}

/* Farthest point from point a, from the line a b, from the plane a b c; tells flat clouds from solid ones. */
static dvc_status dvci_hull_solid(const dvci_hull *h)
{
    dvc_vec3 a = h->points[0], axis, normal, d;
    dvc_real far_point = 0, far_line = 0, far_plane = 0, x;
    int i;
    for (axis = normal = dvci_vec(0, 0, 0), i = 0; i < h->count; i++) {
        d = dvci_sub(h->points[i], a);
        if (dvci_norm(d) > far_point) { far_point = dvci_norm(d); axis = dvci_unit(d); }
    }
    for (i = 0; i < h->count; i++) {
        d = dvci_cross(axis, dvci_sub(h->points[i], a));
        if (dvci_norm(d) > far_line) { far_line = dvci_norm(d); normal = dvci_unit(d); }
    }
    for (i = 0; i < h->count; i++) {
        x = dvci_abs(dvci_dot(normal, dvci_sub(h->points[i], a)));
        far_plane = dvci_max(far_plane, x);
    }
    if (far_line <= 2 * h->tolerance) return DVC_ERROR_HULL_LINE;
    return far_plane <= 2 * h->tolerance ? DVC_ERROR_HULL_FLAT : DVC_OK;
}

/* ---- triangles on the grid ---- */

/* A whole number of 128 bits: high 2^64 + low. */
typedef struct dvci_wide { int64_t high; uint64_t low; } dvci_wide;

static dvci_wide dvci_wide_add(dvci_wide a, dvci_wide b)
{
    a.low += b.low;
    a.high += b.high + (a.low < b.low ? 1 : 0);
    return a;
}

static dvci_wide dvci_wide_neg(dvci_wide a)
{
    a.low = 0 - a.low;
    a.high = -a.high - (a.low != 0 ? 1 : 0);
    return a;
}

/* a b, both below 2^62. */
static dvci_wide dvci_wide_times(int64_t a, int64_t b)
{
    uint64_t x = (uint64_t)(a < 0 ? -a : a), y = (uint64_t)(b < 0 ? -b : b), part = 0xffffffffu;
    uint64_t low = (x & part) * (y & part), middle = (x >> 32) * (y & part) + (low >> 32), other = (x & part) * (y >> 32);
    dvci_wide result;
    middle += other; /* below 2^64: x >> 32 and y >> 32 are below 2^30 */
    result.high = (int64_t)((x >> 32) * (y >> 32) + (middle >> 32));
    result.low = (middle << 32) | (low & part);
    return (a < 0) != (b < 0) ? dvci_wide_neg(result) : result;
}

/* Of a number below 2^116: how often 2^54 goes into it, rounded down, and what is left. */
static int64_t dvci_wide_part(dvci_wide a) { return a.high * 1024 + (int64_t)(a.low >> 54); }
static int64_t dvci_wide_rest(dvci_wide a) { return (int64_t)(a.low & (((uint64_t)1 << 54) - 1)); }

static double dvci_wide_real(dvci_wide a)
{
    dvci_wide b = a.high < 0 ? dvci_wide_neg(a) : a;
    double x = (double)b.high * 18446744073709551616.0 + (double)b.low; /* 2^64 */
    return a.high < 0 ? -x : x;
}

/* (b - a) x (c - a), exactly. Differences are below 2^53 + 2. */
static void dvci_grid_cross(const double *a, const double *b, const double *c, dvci_wide out[3])
{
    int64_t u[3], v[3];
    int k;
    for (k = 0; k < 3; k++) {
        u[k] = (int64_t)(b[k] - a[k]);
        v[k] = (int64_t)(c[k] - a[k]);
    }
    for (k = 0; k < 3; k++)
        out[k] = dvci_wide_add(dvci_wide_times(u[(k + 1) % 3], v[(k + 2) % 3]),
                               dvci_wide_neg(dvci_wide_times(u[(k + 2) % 3], v[(k + 1) % 3])));
}

/* Sign of (b - a) x (c - a) . (p - a), exactly: the cross product, below 2^108, is taken in two parts. */
static int dvci_grid_side(const double *a, const double *b, const double *c, const double *p)
{
    dvci_wide cross[3], high = { 0, 0 }, low = { 0, 0 }, carry;
    int k;
    dvci_grid_cross(a, b, c, cross);
    for (k = 0; k < 3; k++) {
        int64_t d = (int64_t)(p[k] - a[k]);
        high = dvci_wide_add(high, dvci_wide_times(dvci_wide_part(cross[k]), d));
        low = dvci_wide_add(low, dvci_wide_times(dvci_wide_rest(cross[k]), d));
    }
    carry = dvci_wide_times(dvci_wide_part(low), 1);
    high = dvci_wide_add(high, carry);
    if (high.high < 0) return -1;
    return high.high > 0 || high.low > 0 || dvci_wide_rest(low) > 0;
}

/* On which side of a triangle the point is: by its rounded normal where that is certain. */
static int dvci_hull_side(const dvci_hull *h, const dvci_triangle *t, int point)
{
    const double *a = h->grid + 3 * t->corner[0], *p = h->grid + 3 * point;
    double side = t->normal[0] * (p[0] - a[0]) + t->normal[1] * (p[1] - a[1]) + t->normal[2] * (p[2] - a[2]);
    if (side > t->slack) return 1;
    if (side < -t->slack) return -1;
    return dvci_grid_side(a, h->grid + 3 * t->corner[1], h->grid + 3 * t->corner[2], p);
}

/* Unit normal, from the exact one. */
static dvc_vec3 dvci_triangle_normal(const dvci_hull *h, const int corner[3])
{
    const double scale = 1.0 / ((double)((int64_t)1 << 52) * (double)((int64_t)1 << 52));
    dvci_wide cross[3];
    dvci_grid_cross(h->grid + 3 * corner[0], h->grid + 3 * corner[1], h->grid + 3 * corner[2], cross);
    return dvci_unit(dvci_vec((dvc_real)(dvci_wide_real(cross[0]) * scale), (dvc_real)(dvci_wide_real(cross[1]) * scale),
                              (dvc_real)(dvci_wide_real(cross[2]) * scale)));
}

/* Its normal in cells, and how far rounding may make a side wrong by it: 30 units in the last place of the largest product, where
 * the way to the point is below 2^53. */
static void dvci_triangle_plane(const dvci_hull *h, dvci_triangle *t)
{
    const double *a = h->grid + 3 * t->corner[0], *b = h->grid + 3 * t->corner[1], *c = h->grid + 3 * t->corner[2];
    double u[3], v[3], most_u = 0, most_v = 0;
    int k;
    for (k = 0; k < 3; k++) {
        u[k] = b[k] - a[k];
        v[k] = c[k] - a[k];
        most_u = u[k] > most_u ? u[k] : -u[k] > most_u ? -u[k] : most_u;
        most_v = v[k] > most_v ? v[k] : -v[k] > most_v ? -v[k] : most_v;
    }
    for (k = 0; k < 3; k++) t->normal[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
    t->slack = 32 * most_u * most_v;
}

static dvc_vec3 dvci_triangle_cross(const dvci_hull *h, const int corner[3])
{
    dvc_vec3 a = h->points[corner[0]];
    return dvci_cross(dvci_sub(h->points[corner[1]], a), dvci_sub(h->points[corner[2]], a));
}

/* A new triangle, not yet linked. */
static int dvci_triangle_make(dvci_hull *h, int a, int b, int c)
{
    int place = h->spare_count > 0 ? h->spare[--h->spare_count] : h->triangle_count++;
    dvci_triangle *t = &h->triangles[place];
    t->corner[0] = a;
    t->corner[1] = b;
    t->corner[2] = c;
    dvci_triangle_plane(h, t);
    t->area = dvci_norm(dvci_triangle_cross(h, t->corner));
    t->face = DVCI_TRIANGLE_LOOSE;
    t->seen = false;
    return place;
}

/* Which edge of the triangle starts at the point. */
static int dvci_triangle_edge(const dvci_triangle *t, int point)
{
    return t->corner[0] == point ? 0 : t->corner[1] == point ? 1 : 2;
}

/* The point farthest from point a, from the line a b, or from the plane a b c: -1 if none is off it. */
static int dvci_grid_farthest(const dvci_hull *h, const double *a, const double *b, const double *c)
{
    double best = 0;
    int i, k, found = -1;
    for (i = 0; i < h->count; i++) {
        const double *p = h->grid + 3 * i;
        dvci_wide cross[3];
        double value = 0;
        if (b) dvci_grid_cross(a, b, c ? c : p, cross);
        for (k = 0; k < 3; k++) {
            double d = p[k] - a[k], n = b ? dvci_wide_real(cross[k]) : d;
            value += n * (c ? d : n);
        }
        if (c && dvci_grid_side(a, b, c, p) == 0) continue;
        if (value < 0) value = -value;
        if (value <= best && !(c && found < 0)) continue;
        best = value;
        found = i;
    }
    return found;
}

/* Four points that are not in one plane. */
static dvc_status dvci_hull_start(dvci_hull *h)
{
    static const int corners[4][3] = { { 0, 1, 2 }, { 0, 3, 1 }, { 1, 3, 2 }, { 2, 3, 0 } },
                     across[4][3] = { { 1, 2, 3 }, { 3, 2, 0 }, { 1, 3, 0 }, { 2, 1, 0 } };
    int p[4], i, k;
    h->triangle_count = h->spare_count = 0;
    p[0] = 0;
    if ((p[1] = dvci_grid_farthest(h, h->grid, NULL, NULL)) < 0) return DVC_ERROR_HULL_POINT;
    if ((p[2] = dvci_grid_farthest(h, h->grid, h->grid + 3 * p[1], NULL)) < 0) return DVC_ERROR_HULL_LINE;
    if ((p[3] = dvci_grid_farthest(h, h->grid, h->grid + 3 * p[1], h->grid + 3 * p[2])) < 0) return DVC_ERROR_HULL_FLAT;
    i = dvci_triangle_make(h, p[0], p[1], p[2]);
    if (dvci_hull_side(h, &h->triangles[i], p[3]) > 0) {
        k = p[1];
        p[1] = p[2];
        p[2] = k;
    }
    h->triangle_count = 0;
    for (i = 0; i < 4; i++) {
        dvci_triangle *t = &h->triangles[dvci_triangle_make(h, p[corners[i][0]], p[corners[i][1]], p[corners[i][2]])];
        for (k = 0; k < 3; k++) t->across[k] = across[i][k];
    }
    return DVC_OK;
}

/* Marks the triangles that see the point; those in whose plane it lies do not. False: none does. */
static bool dvci_hull_look(dvci_hull *h, int point)
{
    bool any = false;
    int i;
    for (i = 0; i < h->triangle_count; i++) {
        dvci_triangle *t = &h->triangles[i];
        if (t->face == DVCI_TRIANGLE_FREE) continue;
        t->seen = dvci_hull_side(h, t, point) > 0;
        any = any || t->seen;
    }
    return any;
}

/* Lists the edges between what is seen and what is not, from outside, and frees what is seen. */
static void dvci_hull_open(dvci_hull *h)
{
    int i, k;
    h->rim_count = 0;
    for (i = 0; i < h->triangle_count; i++) {
        dvci_triangle *t = &h->triangles[i];
        if (t->face == DVCI_TRIANGLE_FREE || !t->seen) continue;
        for (k = 0; k < 3; k++) {
            const dvci_triangle *outside = &h->triangles[t->across[k]];
            if (!outside->seen) h->rim[h->rim_count++] = 3 * t->across[k] + dvci_triangle_edge(outside, t->corner[(k + 1) % 3]);
        }
    }
    for (i = 0; i < h->triangle_count; i++) {
        if (h->triangles[i].face == DVCI_TRIANGLE_FREE || !h->triangles[i].seen) continue;
        h->triangles[i].face = DVCI_TRIANGLE_FREE;
        h->triangles[i].seen = false;
        h->spare[h->spare_count++] = i;
    }
}

/* Joins the point to the rim. */
static void dvci_hull_close(dvci_hull *h, int point)
{
    int i;
    for (i = 0; i < h->rim_count; i++) {
        int outside = h->rim[i] / 3, edge = h->rim[i] % 3;
        int head = h->triangles[outside].corner[edge], tail = h->triangles[outside].corner[(edge + 1) % 3];
        int fresh = dvci_triangle_make(h, tail, head, point);
        h->triangles[fresh].across[0] = outside;
        h->triangles[outside].across[edge] = fresh;
        h->starts[tail] = fresh;
    }
    for (i = 0; i < h->rim_count; i++) {
        int fresh = h->triangles[h->rim[i] / 3].across[h->rim[i] % 3], next = h->starts[h->triangles[fresh].corner[1]];
        h->triangles[fresh].across[1] = next;
        h->triangles[next].across[2] = fresh;
    }
}

static dvc_status dvci_hull_triangulate(dvci_hull *h)
{
    dvc_status status = dvci_hull_start(h);
    int i;
    for (i = 0; status == DVC_OK && i < h->count; i++) {
        if (!dvci_hull_look(h, i)) continue;
        dvci_hull_open(h);
        dvci_hull_close(h, i);
    }
    return status;
}

/* ---- triangles -> faces ---- */

/* Is triangle u in the plane of the face's first, whose unit normal is n? */
static bool dvci_hull_is_flat(const dvci_hull *h, const dvci_triangle *first, dvc_vec3 n, const dvci_triangle *u)
{
    dvc_vec3 a = h->points[first->corner[0]];
    int m;
    for (m = 0; m < 3; m++) {
        if (h->exact ? dvci_hull_side(h, first, u->corner[m]) != 0
                     : !(dvci_abs(dvci_dot(n, dvci_sub(h->points[u->corner[m]], a))) <= h->tolerance))
            return false;
    }
    return true;
}

/* Gives the triangle, and all around it that its plane holds, to a new face. */
static void dvci_hull_spread(dvci_hull *h, int first, int face)
{
    dvc_vec3 n = dvci_triangle_normal(h, h->triangles[first].corner);
    int waiting = 0, k;
    h->triangles[first].face = face;
    h->seed[face] = first;
    h->spare[waiting++] = first;
    while (waiting > 0) {
        const dvci_triangle *t = &h->triangles[h->spare[--waiting]];
        for (k = 0; k < 3; k++) {
            dvci_triangle *u = &h->triangles[t->across[k]];
            if (u->face != DVCI_TRIANGLE_LOOSE || !dvci_hull_is_flat(h, &h->triangles[first], n, u)) continue;
            u->face = face;
            h->spare[waiting++] = t->across[k];
        }
    }
}

static int dvci_hull_merge(dvci_hull *h)
{
    int face, i;
    for (i = 0; i < h->triangle_count; i++)
        if (h->triangles[i].face != DVCI_TRIANGLE_FREE) h->triangles[i].face = DVCI_TRIANGLE_LOOSE;
    for (face = 0;; face++) {
        int largest = -1;
        for (i = 0; i < h->triangle_count; i++)
            if (h->triangles[i].face == DVCI_TRIANGLE_LOOSE
                && (largest < 0 || h->triangles[i].area > h->triangles[largest].area))
                largest = i;
        if (largest < 0) return face;
        dvci_hull_spread(h, largest, face);
    }
}

/* How often the face changes on the way around the point. */
static int dvci_hull_changes(const dvci_hull *h, int point)
{
    int first = h->starts[point], i = first, changes = 0;
    do {
        const dvci_triangle *t = &h->triangles[i];
        int next = t->across[dvci_triangle_edge(t, point)];
        changes += h->triangles[next].face != t->face;
        i = next;
    } while (i != first);
    return changes;
}

/* Marks the points where three faces meet: first_out -1, all others DVCI_NO_VERTEX. */
static void dvci_hull_mark_vertices(dvci_hull *h)
{
    int i, k;
    for (i = 0; i < h->count; i++) h->starts[i] = -1;
    for (i = 0; i < h->triangle_count; i++)
        for (k = 0; k < 3 && h->triangles[i].face >= 0; k++) h->starts[h->triangles[i].corner[k]] = i;
    for (i = 0; i < h->count; i++) h->first_out[i] = h->starts[i] >= 0 && dvci_hull_changes(h, i) >= 3 ? -1 : DVCI_NO_VERTEX;
}

/* The next edge of a face's border after edge k of triangle i, as 3 i + k. */
static int dvci_hull_border_next(const dvci_hull *h, int i, int k)
{
    int face = h->triangles[i].face, point;
    k = (k + 1) % 3;
    point = h->triangles[i].corner[k];
    while (h->triangles[h->triangles[i].across[k]].face == face) {
        i = h->triangles[i].across[k];
        k = dvci_triangle_edge(&h->triangles[i], point);
    }
    return 3 * i + k;
}

/* The normal of the face whose loop begins at `first`, by Newell's rule. */
static dvc_vec3 dvci_hull_mean_normal(const dvci_hull *h, const dvc_face *face)
{
    dvc_vec3 sum = dvci_vec(0, 0, 0), start = h->points[h->loops[face->first]];
    int k;
    for (k = 0; k < face->count; k++) {
        dvc_vec3 a = h->points[h->loops[face->first + k]], b = h->points[h->loops[face->first + (k + 1) % face->count]];
        sum = dvci_add(sum, dvci_cross(dvci_sub(a, start), dvci_sub(b, start)));
    }
    return dvci_unit(sum);
}

/* No corner of the face is dented by more than the tolerance. Those of triangles, and of faces that are exactly flat, are not. */
static bool dvci_hull_face_is_convex(const dvci_hull *h, const dvc_face *face)
{
    int k;
    for (k = 0; !h->exact && face->count > 3 && k < face->count; k++) {
        dvc_vec3 a = h->points[h->loops[face->first + k]], b = h->points[h->loops[face->first + (k + 1) % face->count]];
        dvc_vec3 across = dvci_sub(h->points[h->loops[face->first + (k + 2) % face->count]], a);
        if (dvci_dot(face->normal, dvci_cross(dvci_sub(b, a), across)) < -h->tolerance * dvci_norm(across)) return false;
    }
    return true;
}

/* a b = *high + *low, exactly (Dekker), if nothing overflows. */
static void dvci_exact_product(double a, double b, double *high, double *low)
{
    const double split = 134217729.0; /* 2^27 + 1 */
    double x = split * a, y = split * b, a_high = x - (x - a), b_high = y - (y - b), a_low = a - a_high, b_low = b - b_high;
    *high = a * b;
    *low = ((a_high * b_high - *high) + a_high * b_low + a_low * b_high) + a_low * b_low;
}

/* offset - n . p to twice the digits: far from the origin the difference of two large numbers. */
static dvc_real dvci_offset_behind(dvc_real offset, dvc_vec3 n, dvc_vec3 p)
{
    double sum = (double)offset, rest = 0, product, low, next, taken, term[3][2];
    int k;
    term[0][0] = (double)n.x; term[1][0] = (double)n.y; term[2][0] = (double)n.z;
    term[0][1] = (double)p.x; term[1][1] = (double)p.y; term[2][1] = (double)p.z;
    for (k = 0; k < 3; k++) {
        dvci_exact_product(-term[k][0], term[k][1], &product, &low);
        next = sum + product;
        taken = next - sum;
        rest += ((sum - (next - taken)) + (product - taken)) + low; /* what the sum has lost (Knuth) */
        sum = next;
    }
    return (dvc_real)(sum + rest);
}

/* Lays the face with this normal through the middle of its corners. False: some point of the cloud is outside of it, or a corner
 * too far off it, or the corners do not turn left all around. `depth` is how far the cloud reaches behind it. */
static bool dvci_hull_lay_face(const dvci_hull *h, dvc_face *face, dvc_vec3 normal, dvc_real *depth)
{
    dvc_real most = -DVC_INFINITY, least = DVC_INFINITY, off = 0, room;
    int k;
    face->normal = normal;
    for (face->offset = 0, k = 0; k < face->count; k++)
        face->offset += dvci_dot(normal, dvci_add(h->points[h->loops[face->first + k]], h->centre)) / (dvc_real)face->count;
    room = dvci_offset_behind(face->offset, normal, h->centre);
    for (k = 0; k < h->cloud_count; k++) {
        dvc_real x = dvci_dot(normal, dvci_sub(h->cloud[k], h->centre));
        most = dvci_max(most, x);
        least = dvci_min(least, x);
    }
    for (k = 0; k < face->count; k++) off = dvci_max(off, room - dvci_dot(normal, h->points[h->loops[face->first + k]]));
    *depth = room - least;
    return !dvci_zero_vec(normal) && most - room <= h->limit && off <= h->limit && dvci_hull_face_is_convex(h, face);
}

/* With the mean normal, or the exact one of the largest triangle. */
static bool dvci_hull_measure_face(dvci_hull *h, int index)
{
    dvc_face *face = &h->faces[index];
    const int *corner = h->triangles[h->seed[index]].corner;
    dvc_real depth;
    bool laid = !h->exact && dvci_hull_lay_face(h, face, dvci_hull_mean_normal(h, face), &depth);
    if (!laid && !dvci_hull_lay_face(h, face, dvci_triangle_normal(h, corner), &depth)) return false;
    h->depth = dvci_min(h->depth, depth);
    return true;
}

/* The loop of a face, from edge start % 3 of triangle start / 3 on; -1: it has no border. False if there is no such polygon. */
static bool dvci_hull_add_face(dvci_hull *h, int index, int start)
{
    int at = start, m;
    dvc_face *face = &h->faces[index];
    if (start < 0) return false;
    face->first = h->loop_count;
    do {
        int point = h->triangles[at / 3].corner[at % 3];
        if (h->first_out[point] != DVCI_NO_VERTEX) {
            h->loop_face[h->loop_count] = index;
            h->loops[h->loop_count++] = point;
        }
        at = dvci_hull_border_next(h, at / 3, at % 3);
    } while (at != start);
    face->count = h->loop_count - face->first;
    if (face->count < 3 || !dvci_hull_measure_face(h, index)) return false;
    for (m = face->first; m < h->loop_count; m++) {
        int point = h->loops[m];
        if (dvci_hull_find(h, point, h->loops[dvci_loop_next(h, m)]) >= 0) return false;
        h->next_out[m] = h->first_out[point];
        h->first_out[point] = m;
    }
    return true;
}

/* Faces of what is flat within the tolerance; false if they do not close. */
static bool dvci_hull_make_faces(dvci_hull *h)
{
    int i, k;
    h->loop_count = 0;
    h->depth = DVC_INFINITY;
    h->face_count = dvci_hull_merge(h);
    dvci_hull_mark_vertices(h);
    for (i = 0; i < h->face_count; i++) h->faces[i].first = -1;
    for (i = 0; i < h->triangle_count; i++)
        for (k = 0; k < 3 && h->triangles[i].face >= 0; k++)
            if (h->triangles[h->triangles[i].across[k]].face != h->triangles[i].face)
                h->faces[h->triangles[i].face].first = 3 * i + k;
    for (i = 0; i < h->face_count; i++)
        if (!dvci_hull_add_face(h, i, h->faces[i].first)) return false;
    for (k = 0; k < h->loop_count; k++)
        if (dvci_hull_find(h, h->loops[dvci_loop_next(h, k)], h->loops[k]) < 0) return false;
    return true;
}

/* Lists the neighbours of each vertex, in the order of the edges. */
static void dvci_hull_neighbours(dvci_hull *h, int vertex_count, int edge_count)
{
    int i, k, *fill = h->first_out;
    for (i = 0; i <= vertex_count; i++) h->around_first[i] = 0;
    for (k = 0; k < edge_count; k++) {
        h->around_first[h->edges[k].tail + 1]++;
        h->around_first[h->edges[k].head + 1]++;
    }
    for (i = 0; i < vertex_count; i++) h->around_first[i + 1] += h->around_first[i];
    for (i = 0; i < vertex_count; i++) fill[i] = h->around_first[i];
    for (k = 0; k < edge_count; k++) {
        h->around[fill[h->edges[k].tail]++] = h->edges[k].head;
        h->around[fill[h->edges[k].head]++] = h->edges[k].tail;
    }
}

/* Do the edges lie in their faces? A short one need not, though all its points are within the tolerance. */
static bool dvci_hull_edges_are_flat(const dvci_hull *h, int count)
{
    int i;
    for (i = 0; i < count; i++) {
        dvc_real one = dvci_min(dvci_dot(h->edges[i].t1, h->edges[i].t1), dvci_dot(h->edges[i].t2, h->edges[i].t2));
        if (!(one > 1 - DVCI_R(1e-3))) return false;
    }
    return true;
}

/* Numbers the vertices that are in use, in the order of the cloud, and fills the edges. */
static bool dvci_hull_finish(dvci_hull *h, dvc_polytope *out)
{
    int i, k, vertex_count = 0, edge_count = 0;
    int *number = h->number;
    for (i = 0; i < h->count; i++) {
        number[i] = h->first_out[i] >= 0 ? vertex_count : -1;
        if (number[i] >= 0) h->vertices[vertex_count++] = h->cloud[h->source[i]];
    }
    for (k = 0; k < h->loop_count; k++) {
        int tail = h->loops[k], head = h->loops[dvci_loop_next(h, k)], back;
        dvc_edge *edge = &h->edges[edge_count];
        dvc_vec3 e;
        if (number[tail] > number[head]) continue;
        back = dvci_hull_find(h, head, tail);
        e = dvci_unit(dvci_sub(h->points[head], h->points[tail]));
        edge->tail = number[tail];
        edge->head = number[head];
        edge->face_1 = h->loop_face[k];
        edge->face_2 = h->loop_face[back];
        edge->t1 = dvci_cross(h->faces[edge->face_1].normal, e); /* W 3.2, of unit length */
        edge->t2 = dvci_cross(e, h->faces[edge->face_2].normal);
        edge_count++;
    }
    for (k = 0; k < h->loop_count; k++) h->loops[k] = number[h->loops[k]];
    if (vertex_count - edge_count + h->face_count != 2 || !dvci_hull_edges_are_flat(h, edge_count)) return false; /* Euler */
    dvci_hull_neighbours(h, vertex_count, edge_count);
    out->vertex_count = vertex_count;
    out->edge_count = edge_count;
    out->face_count = h->face_count;
    out->vertices = h->vertices;
    out->edges = h->edges;
    out->faces = h->faces;
    out->loops = h->loops;
    out->around = h->around;
    out->around_first = h->around_first;
    return true;
}

/* Bounding box, and how far the mean of the vertices is inside. */
static void dvci_polytope_measure(dvc_polytope *out)
{
    dvc_vec3 mean = dvci_vec(0, 0, 0), v;
    int i;
    out->low = out->high = out->vertices[0];
    for (i = 0; i < out->vertex_count; i++) {
        v = out->vertices[i];
        mean = dvci_madd(mean, v, 1 / (dvc_real)out->vertex_count);
        out->low = dvci_vec(dvci_min(out->low.x, v.x), dvci_min(out->low.y, v.y), dvci_min(out->low.z, v.z));
        out->high = dvci_vec(dvci_max(out->high.x, v.x), dvci_max(out->high.y, v.y), dvci_max(out->high.z, v.z));
    }
    out->inner = DVC_INFINITY;
    for (i = 0; i < out->face_count; i++)
        out->inner = dvci_min(out->inner, out->faces[i].offset - dvci_dot(out->faces[i].normal, mean));
}

DVC_API size_t dvc_polytope_size(int count)
{
    dvci_arena arena = dvci_arena_measure();
    dvci_hull hull;
    if (count < 4 || count > DVC_POLYTOPE_MAX_POINTS) return 0;
    dvci_hull_carve_result(&hull, count, &arena);
    dvci_hull_carve(&hull, count, &arena);
    return dvci_arena_bytes(arena.peak);
}

/* Faces of what is flat to the tolerance, to less, and at last exactly. */
static dvc_status dvci_hull_close_faces(dvci_hull *h, dvc_polytope *out)
{
    dvc_real thin = h->limit;
    int attempt;
    for (attempt = 0; attempt < 4; attempt++, h->tolerance /= 4) {
        h->exact = attempt == 3;
        if (!dvci_hull_make_faces(h)) continue;
        if (h->depth <= thin) return DVC_ERROR_HULL_FLAT;
        if (!dvci_hull_finish(h, out)) continue;
        dvci_polytope_measure(out);
        if (out->inner > 0) return DVC_OK;
    }
    return DVC_ERROR_HULL_OPEN;
}

DVC_API dvc_status dvc_polytope_build(const dvc_vec3 *points, int count, void *storage, size_t storage_size, dvc_polytope *out)
{
    dvci_arena arena = dvci_arena_over(storage, storage_size);
    dvci_hull hull;
    dvc_status status;
    if (!points || !storage || !out) return DVC_ERROR_NULL;
    memset(out, 0, sizeof *out);
    if (count < 4 || count > DVC_POLYTOPE_MAX_POINTS) return DVC_ERROR_HULL_COUNT;
    dvci_hull_carve_result(&hull, count, &arena);
    dvci_hull_carve(&hull, count, &arena);
    if (arena.failed) return DVC_ERROR_STORAGE;
    hull.cloud = points;
    hull.cloud_count = count;
    status = dvci_hull_load(&hull);
    if (status == DVC_OK) status = dvci_hull_solid(&hull);
    if (status == DVC_OK) status = dvci_hull_triangulate(&hull);
    if (status == DVC_OK) status = dvci_hull_close_faces(&hull, out);
    if (status != DVC_OK) memset(out, 0, sizeof *out);
    return status;
}

/* ------------------------------------------------------------------------------------------------
 * >>shape  mass from shapes
 * ------------------------------------------------------------------------------------------------
 * Every shape gives volume, first moment and second moment (the matrix of sums of x x') about its own middle; from these come its
 * centre, and the second moment about that, which are carried into the body's frame. Sums of those give centre and inertia of any
 * mix. Nothing is summed about a point far away: what is left of large numbers that cancel would be rounding.
 */
typedef struct dvci_moments {
    dvc_real volume;
    dvc_vec3 first;
    dvci_mat3 second;
} dvci_moments;

static dvci_mat3 dvci_outer(dvc_vec3 a, dvc_vec3 b)
{
    dvci_mat3 m;
    m.x = dvci_scale(b, a.x); m.y = dvci_scale(b, a.y); m.z = dvci_scale(b, a.z);
    return m;
}

/* Adds a simplex of `volume` with one corner at the origin and the others at a, b, c; `dimension` 3: a tetrahedron, 2: a
 * triangle (c = 0). */
static void dvci_add_simplex(dvci_moments *m, int dimension, dvc_real volume, dvc_vec3 a, dvc_vec3 b, dvc_vec3 c)
{
    dvc_vec3 sum = dvci_add(a, dvci_add(b, c));
    dvc_real d = (dvc_real)dimension, share = volume / ((d + 1) * (d + 2));
    m->volume += volume;
    m->first = dvci_madd(m->first, sum, volume / (d + 1));
    m->second = dvci_matmadd(m->second, dvci_outer(sum, sum), share);
    m->second = dvci_matmadd(m->second, dvci_outer(a, a), share);
    m->second = dvci_matmadd(m->second, dvci_outer(b, b), share);
    m->second = dvci_matmadd(m->second, dvci_outer(c, c), share);
}

static void dvci_polytope_moments(dvci_moments *m, const dvc_polytope *p, dvc_vec3 origin)
{
    int f, k;
    for (f = 0; f < p->face_count; f++) {
        const int *loop = p->loops + p->faces[f].first;
        dvc_vec3 a = dvci_sub(p->vertices[loop[0]], origin);
        for (k = 1; k + 1 < p->faces[f].count; k++) {
            dvc_vec3 b = dvci_sub(p->vertices[loop[k]], origin), c = dvci_sub(p->vertices[loop[k + 1]], origin);
            dvci_add_simplex(m, 3, dvci_dot(a, dvci_cross(b, c)) / 6, a, b, c);
        }
    }
}

static void dvci_polygon_moments(dvci_moments *m, const dvc_vec2 *points, int count, dvc_vec3 origin)
{
    int k;
    for (k = 0; k < count; k++) {
        dvc_vec2 p = points[k], q = points[k + 1 < count ? k + 1 : 0];
        dvc_vec3 a = dvci_vec(p.x - origin.x, p.y - origin.y, 0), b = dvci_vec(q.x - origin.x, q.y - origin.y, 0);
        dvci_add_simplex(m, 2, (a.x * b.y - a.y * b.x) / 2, a, b, dvci_vec(0, 0, 0));
    }
}

/* The middle of the box around a shape, in its own frame. */
static dvc_vec3 dvci_shape_middle(const dvc_shape *shape)
{
    dvc_vec2 low, high;
    int i;
    if (shape->kind == DVC_POLYTOPE) return dvci_scale(dvci_add(shape->polytope->low, shape->polytope->high), DVCI_R(0.5));
    if (shape->kind != DVC_POLYGON) return dvci_vec(0, 0, 0);
    for (low = high = shape->points[0], i = 1; i < shape->point_count; i++) {
        dvc_vec2 p = shape->points[i];
        low.x = dvci_min(low.x, p.x); high.x = dvci_max(high.x, p.x);
        low.y = dvci_min(low.y, p.y); high.y = dvci_max(high.y, p.y);
    }
    return dvci_vec((low.x + high.x) / 2, (low.y + high.y) / 2, 0);
}

/* Moments of a shape in its own frame, about `origin`. */
static void dvci_shape_moments(const dvc_shape *shape, bool planar, dvc_vec3 origin, dvci_moments *m)
{
    dvc_vec3 h = shape->half;
    dvc_real r = shape->radius, square;
    memset(m, 0, sizeof *m);
    switch (shape->kind) {
    case DVC_SPHERE:
        m->volume = planar ? DVCI_PI * r * r : 4 * DVCI_PI / 3 * r * r * r;
        square = m->volume * r * r / (planar ? 4 : 5);
        m->second = dvci_diagonal(square, square, planar ? 0 : square);
        break;
    case DVC_BOX:
        m->volume = planar ? 4 * h.x * h.y : 8 * h.x * h.y * h.z;
        m->second = dvci_diagonal(m->volume * h.x * h.x / 3, m->volume * h.y * h.y / 3, planar ? 0 : m->volume * h.z * h.z / 3);
        break;
    case DVC_POLYTOPE: dvci_polytope_moments(m, shape->polytope, origin); break;
    case DVC_POLYGON: dvci_polygon_moments(m, shape->points, shape->point_count, origin); break;
    default: break;
    }
}

/* A shape in the body's frame; its second moment is about its own centre. False: it has no volume. */
typedef struct dvci_lump {
    dvc_real volume;
    dvc_vec3 centre;
    dvci_mat3 second;
} dvci_lump;

static bool dvci_shape_lump(const dvc_shape *shape, bool planar, dvci_lump *lump)
{
    dvci_mat3 r = dvci_quat_matrix(dvci_quat_unit(shape->orientation));
    dvc_vec3 middle = dvci_shape_middle(shape), shift;
    dvci_moments m;
    dvci_shape_moments(shape, planar, middle, &m);
    if (!(m.volume > 0) || !dvci_finite(m.volume)) return false;
    shift = dvci_scale(m.first, 1 / m.volume);
    m.second = dvci_matmadd(m.second, dvci_outer(shift, shift), -m.volume);
    lump->volume = m.volume;
    lump->centre = dvci_add(shape->position, dvci_mul(r, dvci_add(middle, shift)));
    lump->second = dvci_matmul(dvci_matmul(r, m.second), dvci_transpose(r));
    return true;
}

/* Inertia from second moments: trace - second. A part that is most of the trace is not taken from it: what is left would be
 * rounding. */
static dvci_mat3 dvci_inertia_of(dvci_mat3 second)
{
    dvc_real x = second.x.x, y = second.y.y, z = second.z.z, trace = x + y + z;
    dvci_mat3 inertia = dvci_matmadd(dvci_diagonal(trace, trace, trace), second, -1);
    if (x > trace / 2) inertia.x.x = y + z;
    if (y > trace / 2) inertia.y.y = x + z;
    if (z > trace / 2) inertia.z.z = x + y;
    return inertia;
}

/* One Jacobi turn, about the axis that is neither i nor j, that removes the product of inertia between those two, if it is
 * worth removing. It is at most 45 degrees. */
static bool dvci_jacobi_turn(dvc_real a[3][3], dvc_quat *axes, int i, int j, dvc_real trace)
{
    dvc_real theta, t, c, s, half;
    int k;
    if (dvci_abs(a[i][j]) <= (DVCI_DOUBLE ? DVCI_R(1e-12) : DVCI_R(1e-6)) * trace) return false;
    theta = (a[j][j] - a[i][i]) / (2 * a[i][j]);
    t = (theta < 0 ? -1 : 1) / (dvci_abs(theta) + dvci_sqrt(theta * theta + 1));
    c = 1 / dvci_sqrt(t * t + 1);
    s = t * c;
    for (k = 0; k < 3; k++) {
        dvc_real x = a[k][i], y = a[k][j];
        a[k][i] = c * x - s * y;
        a[k][j] = s * x + c * y;
    }
    for (k = 0; k < 3; k++) {
        dvc_real x = a[i][k], y = a[j][k];
        a[i][k] = c * x - s * y;
        a[j][k] = s * x + c * y;
    }
    half = dvci_sqrt((1 + c) / 2);
    s /= 2 * half;
    *axes = dvci_quat_mul(*axes, dvci_quat(half, j == 1 ? dvci_vec(0, 0, -s) : i == 0 ? dvci_vec(0, s, 0) : dvci_vec(-s, 0, 0)));
    return true;
}

/* Principal axes as a turn (identity, and not `turned`, if the axes are principal already) and the moments along them. */
static dvc_quat dvci_principal_axes(dvci_mat3 inertia, dvc_vec3 *moments, bool *turned)
{
    dvc_quat axes = dvci_quat(1, dvci_vec(0, 0, 0));
    dvc_real a[3][3], trace = inertia.x.x + inertia.y.y + inertia.z.z;
    int sweep;
    bool any = true;
    a[0][0] = inertia.x.x; a[0][1] = a[1][0] = inertia.x.y; a[0][2] = a[2][0] = inertia.x.z;
    a[1][1] = inertia.y.y; a[1][2] = a[2][1] = inertia.y.z; a[2][2] = inertia.z.z;
    for (sweep = 0; any && sweep < 30; sweep++) {
        any = dvci_jacobi_turn(a, &axes, 0, 1, trace);
        any = dvci_jacobi_turn(a, &axes, 0, 2, trace) || any;
        any = dvci_jacobi_turn(a, &axes, 1, 2, trace) || any;
        *turned = *turned || any;
    }
    *moments = dvci_vec(a[0][0], a[1][1], a[2][2]);
    return dvci_quat_unit(axes);
}

/* The body's frame moves to `centre` and turns by `axes` (both in the old frame); everything stays where it is. */
static void dvci_body_reframe(dvc_body *body, dvc_shape *shapes, int shape_count, dvc_vec3 centre, dvc_quat axes, bool turned)
{
    dvc_quat back = dvci_quat_conj(axes), q = dvci_quat_unit(body->orientation);
    int i;
    body->position = dvci_add(body->position, dvci_rotate(q, centre));
    if (turned) body->orientation = dvci_quat_unit(dvci_quat_mul(q, axes));
    for (i = 0; i < shape_count; i++) {
        shapes[i].position = dvci_sub(shapes[i].position, centre);
        if (!turned) continue;
        shapes[i].position = dvci_rotate(back, shapes[i].position);
        shapes[i].orientation = dvci_quat_unit(dvci_quat_mul(back, dvci_quat_unit(shapes[i].orientation)));
    }
}

static bool dvci_shape_weighs(const dvc_shape *shape)
{
    return shape->kind != DVC_NO_SHAPE && !shape->disabled && !shape->sensor;
}

/* Volume and centre of all shapes that weigh, and their second moment about it. False: one has no volume, or there is none. */
static bool dvci_sum_lumps(const dvc_shape *shapes, int shape_count, bool planar, dvci_lump *sum)
{
    dvci_lump one;
    int i;
    memset(sum, 0, sizeof *sum);
    for (i = 0; i < shape_count; i++) {
        if (!dvci_shape_weighs(&shapes[i])) continue;
        if (!dvci_shape_lump(&shapes[i], planar, &one)) return false;
        sum->volume += one.volume;
        sum->centre = dvci_madd(sum->centre, one.centre, one.volume);
    }
    if (!(sum->volume > 0) || !dvci_finite(sum->volume)) return false;
    sum->centre = dvci_scale(sum->centre, 1 / sum->volume);
    for (i = 0; i < shape_count; i++) {
        dvc_vec3 way;
        if (!dvci_shape_weighs(&shapes[i])) continue;
        dvci_shape_lump(&shapes[i], planar, &one);
        way = dvci_sub(one.centre, sum->centre);
        sum->second = dvci_matmadd(sum->second, one.second, 1);
        sum->second = dvci_matmadd(sum->second, dvci_outer(way, way), one.volume);
    }
    return true;
}

/* Are these such as a body may have? */
static bool dvci_masses_are_sound(dvc_real mass, dvc_vec3 moments, bool planar)
{
    const dvc_real least = 1 / DVC_HEAVIEST;
    if (!(mass >= least) || !dvci_within(mass, DVC_HEAVIEST) || !dvci_within_vec(moments, DVC_HEAVIEST)) return false;
    return moments.z >= least && (planar || (moments.x >= least && moments.y >= least));
}

static dvc_status dvci_mass_from_shapes(dvc_body *body, dvc_shape *shapes, int shape_count, dvc_real density, bool planar)
{
    dvci_lump sum;
    dvc_vec3 centre, moments;
    dvci_mat3 inertia;
    dvc_quat axes = dvci_quat(1, dvci_vec(0, 0, 0));
    dvc_real extent;
    bool turned = false;
    if (!dvci_sum_lumps(shapes, shape_count, planar, &sum)) return DVC_ERROR_DENSITY;
    centre = sum.centre;
    if (planar) centre.z = 0;
    extent = dvci_sqrt((sum.second.x.x + sum.second.y.y + sum.second.z.z) / sum.volume);
    if (dvci_norm(centre) <= (DVCI_DOUBLE ? DVCI_R(1e-15) : DVCI_R(1e-7)) * extent) centre = dvci_vec(0, 0, 0); /* rounding */
    inertia = dvci_inertia_of(sum.second);
    moments = dvci_vec(0, 0, inertia.z.z);
    if (!planar) axes = dvci_principal_axes(inertia, &moments, &turned);
    moments = dvci_scale(moments, density);
    if (!dvci_masses_are_sound(density * sum.volume, moments, planar)) return DVC_ERROR_DENSITY;
    if (!dvci_within_vec(dvci_add(body->position, dvci_rotate(dvci_quat_unit(body->orientation), centre)), DVC_LARGEST))
        return DVC_ERROR_BODY_STATE;
    body->mass = density * sum.volume;
    body->inertia = moments;
    dvci_body_reframe(body, shapes, shape_count, centre, axes, turned);
    return DVC_OK;
}

/* Polygons and boxes without depth live in planar worlds only. */
static bool dvci_shapes_are_planar(const dvc_shape *shapes, int shape_count)
{
    int i;
    for (i = 0; i < shape_count; i++)
        if (!shapes[i].disabled && (shapes[i].kind == DVC_POLYGON || (shapes[i].kind == DVC_BOX && shapes[i].half.z == 0)))
            return true;
    return false;
}

/* What a mass depends on, and what moves when the body's frame does. Whether sizes are positive, its volume tells. */
static dvc_status dvci_mass_shape(const dvc_shape *shape)
{
    if (shape->kind == DVC_NO_SHAPE || shape->disabled) return DVC_OK;
    if (!dvci_within_vec(shape->position, DVC_LARGEST) || !dvci_is_turn(shape->orientation))
        return DVC_ERROR_SHAPE_POSE;
    switch (shape->kind) {
    case DVC_SPHERE: return shape->radius <= DVC_LARGEST ? DVC_OK : DVC_ERROR_SHAPE_SIZE;
    case DVC_BOX: return dvci_within_vec(shape->half, DVC_LARGEST) ? DVC_OK : DVC_ERROR_SHAPE_SIZE;
    case DVC_POLYTOPE: return dvci_check_polytope(shape);
    case DVC_POLYGON: return dvci_check_points(shape) ? DVC_OK : DVC_ERROR_SHAPE_POLYGON;
    default: return DVC_OK;
    }
}

static dvc_status dvci_mass_input(const dvc_body *body, const dvc_shape *shapes, int shape_count, dvc_real density)
{
    dvc_status status = DVC_OK;
    int i;
    if (!body || !shapes) return DVC_ERROR_NULL;
    if (shape_count < 0) return DVC_ERROR_COUNT;
    if (!(density > 0) || !dvci_finite(density)) return DVC_ERROR_DENSITY;
    if (!dvci_check_pose(body)) return DVC_ERROR_BODY_STATE;
    for (i = 0; i < shape_count && status == DVC_OK; i++) status = dvci_mass_shape(&shapes[i]);
    return status;
}

DVC_API dvc_status dvc_body_mass_from_shapes(dvc_body *body, dvc_shape *shapes, int shape_count, dvc_real density)
{
    dvc_status status = dvci_mass_input(body, shapes, shape_count, density);
    if (status != DVC_OK) return status;
    return dvci_mass_from_shapes(body, shapes, shape_count, density, dvci_shapes_are_planar(shapes, shape_count));
}

DVC_API dvc_status dvc_body_mass_from_shapes_planar(dvc_body *body, dvc_shape *shapes, int shape_count, dvc_real density)
{
    dvc_status status = dvci_mass_input(body, shapes, shape_count, density);
    return status != DVC_OK ? status : dvci_mass_from_shapes(body, shapes, shape_count, density, true);
}

/* ------------------------------------------------------------------------------------------------
 * >>mesh  solids and mesh files
 * ------------------------------------------------------------------------------------------------
 * Corners of a Platonic solid are one or two points with all changes of sign and all cyclic changes of coordinates. The
 * coordinates for edge 1 are halves, 1 / sqrt(2), and halves of the golden ratio and its square.
 */
typedef struct dvci_solid {
    double corner[2][3]; /* the second one is not there if it is zero */
    bool even;           /* only even numbers of minus signs */
    double volume, moment;
} dvci_solid;

#define DVCI_GOLDEN_HALF 0.809016994374947424102
#define DVCI_GOLDEN_SQUARE_HALF 1.309016994374947424102
#define DVCI_ROOT_2_HALF 0.707106781186547524401

static const dvci_solid dvci_solids[DVC_SOLID_COUNT] = {
    { { { DVCI_ROOT_2_HALF / 2, DVCI_ROOT_2_HALF / 2, DVCI_ROOT_2_HALF / 2 }, { 0, 0, 0 } }, true,
      0.117851130197757920733, 0.05 },
    { { { 0.5, 0.5, 0.5 }, { 0, 0, 0 } }, false, 1, 1.0 / 6 },
    { { { 0, 0, DVCI_ROOT_2_HALF }, { 0, 0, 0 } }, false, 0.471404520791031682934, 0.1 },
    { { { DVCI_GOLDEN_HALF, DVCI_GOLDEN_HALF, DVCI_GOLDEN_HALF }, { 0, 0.5, DVCI_GOLDEN_SQUARE_HALF } }, false,
      7.66311896062463196872, 0.607355503741639327200 },
    { { { 0, 0.5, DVCI_GOLDEN_HALF }, { 0, 0, 0 } }, false, 2.18169499062491237350, 0.261803398874989484820 }
};

static const dvci_solid *dvci_solid_find(dvc_solid solid)
{
    int i = (int)solid;
    return i >= 0 && i < DVC_SOLID_COUNT ? &dvci_solids[i] : NULL;
}

static bool dvci_solid_has(const dvci_solid *s, const double *corner, int signs)
{
    int j, minus = 0;
    for (j = 0; j < 3; j++) {
        if (!(signs >> j & 1)) continue;
        if (corner[j] == 0) return false;
        minus++;
    }
    return !s->even || minus % 2 == 0;
}

static int dvci_solid_corners(const dvci_solid *s, const double *corner, dvc_real edge, dvc_vec3 *points)
{
    int cycles = corner[0] == corner[2] ? 1 : 3, count = 0, k, signs, j;
    dvc_real c[3];
    if (corner[2] == 0) return 0;
    for (k = 0; k < cycles; k++) {
        for (signs = 0; signs < 8; signs++) {
            if (!dvci_solid_has(s, corner, signs)) continue;
            for (j = 0; j < 3; j++) c[(j + k) % 3] = (dvc_real)((signs >> j & 1 ? -corner[j] : corner[j]) * (double)edge);
            if (points) points[count] = dvci_vec(c[0], c[1], c[2]);
            count++;
        }
    }
    return count;
}

DVC_API int dvc_solid_points(dvc_solid solid, dvc_real edge, dvc_vec3 *points)
{
    const dvci_solid *s = dvci_solid_find(solid);
    int count = s ? dvci_solid_corners(s, s->corner[0], edge, points) : 0;
    return s ? count + dvci_solid_corners(s, s->corner[1], edge, points ? points + count : NULL) : 0;
}

DVC_API dvc_real dvc_solid_volume(dvc_solid solid, dvc_real edge)
{
    const dvci_solid *s = dvci_solid_find(solid);
    return s ? (dvc_real)(s->volume * (double)edge * (double)edge * (double)edge) : 0;
}

DVC_API dvc_real dvc_solid_moment(dvc_solid solid, dvc_real edge)
{
    const dvci_solid *s = dvci_solid_find(solid);
    return s ? (dvc_real)(s->moment * (double)edge * (double)edge) : 0;
}

DVC_API int dvc_block_points(dvc_vec3 half, dvc_vec3 *points)
{
    int i;
    for (i = 0; points && i < 8; i++)
        points[i] = dvci_vec(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
    return 8;
}

DVC_API dvc_vec3 dvc_block_moments(dvc_vec3 half)
{
    dvc_real x = half.x * half.x, y = half.y * half.y, z = half.z * half.z;
    return dvci_vec((y + z) / 3, (z + x) / 3, (x + y) / 3);
}

/* Corner k of `sides` on the unit circle. Angles up to 45 degrees, so that mirror images are exact, and points on the axes. */
static void dvci_circle_point(int k, int sides, dvc_real *x, dvc_real *y)
{
    int quarter = 4 * k / sides, part = 4 * k % sides;
    bool far = 2 * part > sides;
    dvc_real s, c, sine, cosine;
    dvci_sin_cos(DVCI_PI / 2 * (dvc_real)(far ? sides - part : part) / (dvc_real)sides, &s, &c);
    if (2 * part == sides) s = c;
    sine = far ? c : s;
    cosine = far ? s : c;
    *x = quarter % 2 ? -sine : cosine;
    *y = quarter % 2 ? cosine : sine;
    if (quarter < 2) return;
    *x = -*x;
    *y = -*y;
}

static bool dvci_prism(int sides) { return sides >= 3 && sides <= DVC_POLYTOPE_MAX_POINTS / 2; }

DVC_API int dvc_cylinder_points(int sides, dvc_real radius, dvc_real height, dvc_vec3 *points)
{
    int k;
    dvc_real x, y;
    if (!dvci_prism(sides)) return 0;
    for (k = 0; points && k < sides; k++) {
        dvci_circle_point(k, sides, &x, &y);
        points[k] = dvci_vec(radius * x, radius * y, -height / 2);
        points[sides + k] = dvci_vec(radius * x, radius * y, height / 2);
    }
    return 2 * sides;
}

DVC_API dvc_real dvc_cylinder_volume(int sides, dvc_real radius, dvc_real height)
{
    dvc_real x = 0, y = 0;
    if (sides == 0) return DVCI_PI * radius * radius * height;
    if (!dvci_prism(sides)) return 0;
    dvci_circle_point(1, sides, &x, &y);
    return (dvc_real)sides / 2 * y * radius * radius * height;
}

DVC_API dvc_vec3 dvc_cylinder_moments(int sides, dvc_real radius, dvc_real height)
{
    dvc_real x = 1, y = 0, axial;
    if (sides != 0 && !dvci_prism(sides)) return dvci_vec(0, 0, 0);
    if (sides != 0) dvci_circle_point(1, sides, &x, &y);
    axial = (2 + x) / 6 * radius * radius;
    return dvci_vec(axial / 2 + height * height / 12, axial / 2 + height * height / 12, axial);
}

/* ---- decimal numbers: correctly rounded by long division of whole numbers ---- */

enum { DVCI_BIG_LIMBS = 26, DVCI_DIGITS = 19 }; /* 832 bits hold 2^64 5^310 and 5^343, and two more; 64 bits hold 19 digits */

static void dvci_big_times(uint32_t *a, uint32_t factor)
{
    uint64_t carry = 0;
    int i;
    for (i = 0; i < DVCI_BIG_LIMBS; i++) {
        carry += (uint64_t)a[i] * factor;
        a[i] = (uint32_t)(carry & 0xffffffffu);
        carry >>= 32;
    }
}

/* The place of the leading digit; -1 for zero. */
static int dvci_big_bits(const uint32_t *a)
{
    int bit = 32 * DVCI_BIG_LIMBS - 1;
    while (bit >= 0 && !(a[bit / 32] >> bit % 32 & 1)) bit -= a[bit / 32] == 0 ? bit % 32 + 1 : 1;
    return bit;
}

static void dvci_big_shift(uint32_t *a, int bits)
{
    for (; bits > 31; bits -= 31) dvci_big_times(a, (uint32_t)1 << 31);
    if (bits > 0) dvci_big_times(a, (uint32_t)1 << bits);
}

/* One binary digit of a / b < 2: a becomes twice the remainder. */
static uint64_t dvci_big_digit(uint32_t *a, const uint32_t *b)
{
    uint32_t left[DVCI_BIG_LIMBS];
    uint64_t borrow = 0;
    int i;
    for (i = 0; i < DVCI_BIG_LIMBS; i++) {
        borrow = (uint64_t)a[i] - b[i] - borrow;
        left[i] = (uint32_t)(borrow & 0xffffffffu);
        borrow >>= 63;
    }
    if (!borrow) memcpy(a, left, sizeof left);
    dvci_big_times(a, 2);
    return 1 - borrow;
}

/* digits 10^ten, and a little more if `more`, rounded to the nearest double, to even in the middle. */
static double dvci_scale_decimal(uint64_t digits, int ten, bool more)
{
    uint32_t a[DVCI_BIG_LIMBS] = { 0 }, b[DVCI_BIG_LIMBS] = { 0 };
    uint64_t result = 0, rest, half;
    int two, drop, power = ten < 0 ? -ten : ten;
    double x;
    a[0] = (uint32_t)(digits & 0xffffffffu);
    a[1] = (uint32_t)(digits >> 32);
    b[0] = 1;
    for (; power >= 13; power -= 13) dvci_big_times(ten < 0 ? b : a, 1220703125u); /* 5^13 */
    for (; power > 0; power--) dvci_big_times(ten < 0 ? b : a, 5);
    two = dvci_big_bits(a) - dvci_big_bits(b);
    dvci_big_shift(a, -two);
    dvci_big_shift(b, two);
    two += ten; /* the number is a / b 2^two, 1/2 < a / b < 2 */
    if ((result = dvci_big_digit(a, b)) == 0) two--;
    while (!(result >> 53)) result = 2 * result + dvci_big_digit(a, b); /* one digit more than a double has */
    drop = two < -1022 ? -1021 - two : 1;                               /* or more than one, in a small number */
    if (drop > 54) return 0;
    half = (uint64_t)1 << (drop - 1);
    rest = result & (2 * half - 1);
    result >>= drop;
    if (rest > half || (rest == half && (more || dvci_big_bits(a) >= 0 || result % 2 == 1))) result++;
    if (two > -1022) result += (uint64_t)(two + 1022) << 52; /* the leading digit counts one in the exponent */
    if (two > 1023) result = (uint64_t)0x7ff << 52;
    memcpy(&x, &result, sizeof x);
    return x;
}

static double dvci_decimal_value(uint64_t digits, int ten, bool more)
{
    double power = 1;
    int i, size = ten < 0 ? -ten : ten;
    if (digits == 0 || ten < -343) return 0; /* below half of the least double */
    if (digits < (uint64_t)1 << 53 && size <= 22) { /* both are exact: one rounding */
        for (i = 0; i < size; i++) power *= 10;
        return ten < 0 ? (double)digits / power : (double)digits * power;
    }
    return dvci_scale_decimal(digits, ten > 310 ? 310 : ten, more);
}

static bool dvci_is_digit(char c) { return c >= '0' && c <= '9'; }
static bool dvci_is_blank(char c) { return c == ' ' || c == '\t' || c == '\f' || c == '\v'; }
/* Bytes above 127 are letters of other alphabets. */
static bool dvci_is_letter(char c) { return ((c | 32) >= 'a' && (c | 32) <= 'z') || c == '_' || (unsigned char)c > 127; }

/* An unsigned decimal number; false, and nothing read, if there is none. 'e' belongs to it if digits follow. */
static bool dvci_read_decimal(const char **at, const char *stop, double *value)
{
    const char *p = *at, *e;
    uint64_t digits = 0;
    int ten = 0, kept = 0, power = 0;
    bool more = false, point = false, any = false, down;
    for (; p < stop && (dvci_is_digit(*p) || (*p == '.' && !point)); p++) {
        if (*p == '.') { point = true; continue; }
        any = true;
        if (kept < DVCI_DIGITS) digits = 10 * digits + (uint64_t)(*p - '0');
        else more = more || *p != '0';
        ten += (kept >= DVCI_DIGITS) - point;
        kept += digits > 0 && kept < DVCI_DIGITS;
    }
    if (!any) return false;
    if (p < stop && (*p == 'e' || *p == 'E')) {
        e = p + 1;
        down = e < stop && *e == '-';
        if (e < stop && (*e == '-' || *e == '+')) e++;
        for (; e < stop && dvci_is_digit(*e); p = ++e) power = 10 * dvci_imin(power, 50000000) + (*e - '0');
        ten += down ? -power : power;
    }
    *at = p;
    *value = dvci_decimal_value(digits, ten, more);
    return true;
}

/* ---- texts ---- */

typedef struct dvci_place { int index, line; } dvci_place; /* an index and the line that has it */

typedef struct dvci_reader {
    const char *at, *stop;  /* what is left of the line, without its comment */
    const char *next, *end; /* what is left of the text */
    int line;
    bool poly;              /* comments of .poly files */
    dvc_status status;      /* the first error; then no line has anything left */
    dvc_mesh *mesh;
    int columns;            /* numbers that each vertex has; 0: not known yet */
    int base;               /* the first vertex's number; -1: not known yet */
    dvci_place least, greatest; /* of the indices in faces */
    int corners, first, last; /* of the polygon that is being read */
} dvci_reader;

enum { DVCI_TEXT_MOST = 1 << 30, DVCI_DEPTH_MOST = 32 }; /* bytes: all counts stay below; nested parentheses */

static double dvci_read_fail(dvci_reader *r, dvc_status status)
{
    if (r->status == DVC_OK) {
        r->status = status;
        r->mesh->line = r->line;
    }
    r->at = r->stop;
    r->next = r->end;
    return 0;
}

static dvc_status dvci_read_start(dvci_reader *r, const char *text, size_t size, dvc_mesh *mesh, bool poly)
{
    if (!mesh || !text) return DVC_ERROR_NULL;
    mesh->vertex_count = mesh->triangle_count = mesh->line = 0;
    if (mesh->vertex_capacity < 0 || mesh->triangle_capacity < 0) return DVC_ERROR_COUNT;
    if (mesh->vertex_capacity > 0 && !mesh->vertices) return DVC_ERROR_NULL;
    if (mesh->triangle_capacity > 0 && !mesh->triangles) return DVC_ERROR_NULL;
    if (size > (size_t)DVCI_TEXT_MOST) return DVC_ERROR_MESH_COUNT;
    memset(r, 0, sizeof *r);
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) { /* the mark of UTF-8 */
        text += 3;
        size -= 3;
    }
    r->at = r->stop = r->next = text;
    r->end = text + size;
    r->poly = poly;
    r->mesh = mesh;
    r->base = r->greatest.index = -1;
    r->least.index = DVCI_TEXT_MOST;
    return DVC_OK;
}

static bool dvci_comment_here(const dvci_reader *r, const char *p)
{
    return *p == '#' || (r->poly && (*p == '%' || (*p == '/' && p + 1 < r->end && p[1] == '/')));
}

/* Lines end with LF, CR LF or CR. */
static bool dvci_next_line(dvci_reader *r)
{
    const char *p = r->next;
    if (p == r->end) return false;
    r->line++;
    r->at = p;
    while (p < r->end && *p != '\n' && *p != '\r' && !dvci_comment_here(r, p)) p++;
    r->stop = p;
    while (p < r->end && *p != '\n' && *p != '\r') p++;
    if (p + 1 < r->end && p[0] == '\r' && p[1] == '\n') p++;
    r->next = p < r->end ? p + 1 : p;
    return true;
}

static void dvci_skip_blanks(dvci_reader *r)
{
    while (r->at < r->stop && dvci_is_blank(*r->at)) r->at++;
}

static bool dvci_take(dvci_reader *r, char c)
{
    dvci_skip_blanks(r);
    if (r->at == r->stop || *r->at != c) return false;
    r->at++;
    return true;
}

/* ---- expressions: sums of products of powers of numbers, roots and sums in parentheses ---- */

static bool dvci_take_root(dvci_reader *r)
{
    if (r->stop - r->at < 4 || memcmp(r->at, "sqrt", 4) != 0 || (r->stop - r->at > 4 && dvci_is_letter(r->at[4]))) return false;
    r->at += 4;
    return true;
}

/* The operator a or b, if it is next. Outside of parentheses a sign after a blank and before none begins another number. */
static char dvci_take_operator(dvci_reader *r, int depth, char a, char b)
{
    const char *start = r->at;
    dvci_skip_blanks(r);
    if (r->at < r->stop && (*r->at == a || *r->at == b)
        && (depth > 0 || a != '+' || r->at == start || (r->at + 1 < r->stop && dvci_is_blank(r->at[1]))))
        return *r->at++;
    r->at = start;
    return 0;
}

static bool dvci_take_signs(dvci_reader *r)
{
    bool minus = false;
    for (dvci_skip_blanks(r); r->at < r->stop && (*r->at == '-' || *r->at == '+'); dvci_skip_blanks(r)) minus ^= *r->at++ == '-';
    return minus;
}

/* x^y for multiples of one half, |y| <= 64. */
static double dvci_raise(dvci_reader *r, double x, double y)
{
    double result = 1;
    int halves, k;
    if (!(y >= -64 && y <= 64) || (double)(int)(2 * y) != 2 * y) return dvci_read_fail(r, DVC_ERROR_MESH_NUMBER);
    halves = (int)(2 * (y < 0 ? -y : y));
    for (k = 0; k < halves / 2; k++) result *= x;
    if (halves % 2) result *= dvci_sqrt_double(x);
    return y < 0 ? 1 / result : result;
}

static double dvci_read_sum(dvci_reader *r, int depth);

static double dvci_read_operand(dvci_reader *r, int depth)
{
    bool root = dvci_take_root(r);
    double x;
    if (depth < DVCI_DEPTH_MOST && dvci_take(r, '(')) {
        x = dvci_read_sum(r, depth + 1);
        if (!dvci_take(r, ')')) return dvci_read_fail(r, DVC_ERROR_MESH_NUMBER);
        return root ? dvci_sqrt_double(x) : x;
    }
    return !root && dvci_read_decimal(&r->at, r->stop, &x) ? x : dvci_read_fail(r, DVC_ERROR_MESH_NUMBER);
}

/* Powers bind tighter than signs and go from left to right: -2^2 is -4, 2^3^2 is 64. */
static double dvci_read_power(dvci_reader *r, int depth)
{
    bool minus = dvci_take_signs(r);
    double x = dvci_read_operand(r, depth);
    while (dvci_take_operator(r, depth, '^', '^')) {
        bool down = dvci_take_signs(r);
        double y = dvci_read_operand(r, depth);
        x = dvci_raise(r, x, down ? -y : y);
    }
    return minus ? -x : x;
}

static double dvci_read_product(dvci_reader *r, int depth)
{
    double x = dvci_read_power(r, depth), y;
    char c;
    while ((c = dvci_take_operator(r, depth, '*', '/')) != 0) {
        y = dvci_read_power(r, depth);
        x = c == '*' ? x * y : x / y;
    }
    return x;
}

static double dvci_read_sum(dvci_reader *r, int depth)
{
    double x = dvci_read_product(r, depth), y;
    char c;
    while ((c = dvci_take_operator(r, depth, '+', '-')) != 0) {
        y = dvci_read_product(r, depth);
        x = c == '+' ? x + y : x - y;
    }
    return x;
}

static bool dvci_is_filler(char c)
{
    return dvci_is_blank(c) || c == ',' || c == ';' || c == '=' || c == ':' || c == '[' || c == ']';
}

/* Passes over all that means nothing; true if an expression is next. A name before a parenthesis would be a function. */
static bool dvci_more_numbers(dvci_reader *r)
{
    while (r->at < r->stop && (dvci_is_filler(*r->at) || dvci_is_letter(*r->at))) {
        if (dvci_is_filler(*r->at)) { r->at++; continue; }
        if (dvci_take_root(r)) { r->at -= 4; return true; }
        while (r->at < r->stop && dvci_is_letter(*r->at)) r->at++;
        dvci_skip_blanks(r);
        if (r->at < r->stop && *r->at == '(') dvci_read_fail(r, DVC_ERROR_MESH_NUMBER);
    }
    return r->at < r->stop;
}

static double dvci_finite_or_fail(dvci_reader *r, double x, bool parted)
{
    if (x > -(double)DVC_INFINITY && x < (double)DVC_INFINITY && (parted || r->at == r->stop)) return x;
    return dvci_read_fail(r, DVC_ERROR_MESH_NUMBER);
}

static double dvci_read_expression(dvci_reader *r)
{
    double x = dvci_read_sum(r, 0);
    return dvci_finite_or_fail(r, x, r->at < r->stop && dvci_is_filler(*r->at));
}

static int dvci_whole(dvci_reader *r, double x, dvc_status status)
{
    const double most = (double)DVCI_TEXT_MOST;
    if (x >= -most && x <= most && x == (double)(int)x) return (int)x;
    return (int)dvci_read_fail(r, status);
}

/* ---- what the numbers become ---- */

static void dvci_put_vertex(dvc_mesh *mesh, const double *c)
{
    if (mesh->vertex_count < mesh->vertex_capacity)
        mesh->vertices[mesh->vertex_count] = dvci_vec((dvc_real)c[0], (dvc_real)c[1], (dvc_real)c[2]);
    mesh->vertex_count++;
}

/* The next corner of a polygon makes a triangle with the first one and the one before. */
static void dvci_read_corner(dvci_reader *r, int index)
{
    dvc_mesh *mesh = r->mesh;
    dvci_place here;
    here.index = index;
    here.line = r->line;
    if (index < 0) dvci_read_fail(r, DVC_ERROR_MESH_INDEX);
    if (index < r->least.index) r->least = here;
    if (index > r->greatest.index) r->greatest = here;
    if (r->corners == 0) r->first = index;
    if (++r->corners >= 3 && mesh->triangle_count++ < mesh->triangle_capacity) {
        int *triangle = mesh->triangles[mesh->triangle_count - 1];
        triangle[0] = r->first;
        triangle[1] = r->last;
        triangle[2] = index;
    }
    r->last = index;
}

/* Only now is it known how many vertices there are, and from which number on. */
static dvc_status dvci_read_end(dvci_reader *r)
{
    dvc_mesh *mesh = r->mesh;
    int base = r->base >= 0 ? r->base : r->least.index == 0 ? 0 : 1, i, k;
    if (r->status != DVC_OK) return r->status;
    if (mesh->vertex_count == 0) dvci_read_fail(r, DVC_ERROR_MESH_COUNT);
    r->line = r->least.line;
    if (r->least.index < base) dvci_read_fail(r, DVC_ERROR_MESH_INDEX);
    r->line = r->greatest.line;
    if (r->greatest.index - base >= mesh->vertex_count) dvci_read_fail(r, DVC_ERROR_MESH_INDEX);
    for (i = 0; i < dvci_imin(mesh->triangle_count, mesh->triangle_capacity); i++)
        for (k = 0; k < 3; k++) mesh->triangles[i][k] -= base;
    if (r->status != DVC_OK) return r->status;
    if (mesh->vertex_capacity > 0 && mesh->vertex_count > mesh->vertex_capacity) return DVC_ERROR_MESH_ROOM;
    if (mesh->triangle_capacity > 0 && mesh->triangle_count > mesh->triangle_capacity) return DVC_ERROR_MESH_ROOM;
    return DVC_OK;
}

/* ---- .poly ---- */

/* The next line that has numbers; it is an error that there is none. */
static bool dvci_poly_line(dvci_reader *r)
{
    while (dvci_next_line(r))
        if (dvci_more_numbers(r)) return true;
    dvci_read_fail(r, DVC_ERROR_MESH_COUNT);
    return false;
}

static int dvci_poly_count(dvci_reader *r)
{
    int count;
    if (!dvci_poly_line(r)) return 0;
    count = dvci_whole(r, dvci_read_expression(r), DVC_ERROR_MESH_COUNT);
    if (count < 0 || dvci_more_numbers(r)) dvci_read_fail(r, DVC_ERROR_MESH_COUNT);
    return count;
}

static void dvci_poly_vertex(dvci_reader *r)
{
    double numbers[4] = { 0, 0, 0, 0 };
    int count = 0, index;
    if (!dvci_poly_line(r)) return;
    for (; count < 4 && dvci_more_numbers(r); count++) numbers[count] = dvci_read_expression(r);
    if (r->columns == 0) r->columns = count;
    if (count < 3 || count != r->columns || dvci_more_numbers(r)) dvci_read_fail(r, DVC_ERROR_MESH_COUNT);
    if (count == 4) {
        index = dvci_whole(r, numbers[0], DVC_ERROR_MESH_INDEX);
        if (r->base < 0) r->base = index;
        if (r->base > 1 || index != r->base + r->mesh->vertex_count) dvci_read_fail(r, DVC_ERROR_MESH_INDEX);
    }
    if (r->status == DVC_OK) dvci_put_vertex(r->mesh, numbers + count - 3);
}

static void dvci_poly_face(dvci_reader *r)
{
    r->corners = 0;
    if (!dvci_poly_line(r)) return;
    while (dvci_more_numbers(r)) dvci_read_corner(r, dvci_whole(r, dvci_read_expression(r), DVC_ERROR_MESH_INDEX));
    if (r->corners < 3) dvci_read_fail(r, DVC_ERROR_MESH_COUNT);
}

DVC_API dvc_status dvc_mesh_read_poly(const char *text, size_t size, dvc_mesh *mesh)
{
    dvci_reader r;
    dvc_status status = dvci_read_start(&r, text, size, mesh, true);
    int count, i;
    if (status != DVC_OK) return status;
    count = dvci_poly_count(&r);
    if (count == 0) dvci_read_fail(&r, DVC_ERROR_MESH_COUNT);
    for (i = 0; i < count && r.status == DVC_OK; i++) dvci_poly_vertex(&r);
    count = dvci_poly_count(&r);
    for (i = 0; i < count && r.status == DVC_OK; i++) dvci_poly_face(&r);
    while (dvci_next_line(&r))
        if (dvci_more_numbers(&r)) dvci_read_fail(&r, DVC_ERROR_MESH_COUNT);
    return dvci_read_end(&r);
}

/* ---- .obj ---- */

static bool dvci_obj_keyword(dvci_reader *r, char keyword)
{
    bool is_it = r->stop - r->at >= 1 && r->at[0] == keyword && (r->stop - r->at == 1 || dvci_is_blank(r->at[1]));
    r->at += is_it;
    return is_it;
}

/* A number as it is, with at most one sign. */
static double dvci_obj_number(dvci_reader *r)
{
    bool minus = dvci_take(r, '-');
    double x;
    if (!minus && r->at < r->stop && *r->at == '+') r->at++;
    if (!dvci_read_decimal(&r->at, r->stop, &x)) return dvci_read_fail(r, DVC_ERROR_MESH_NUMBER);
    return dvci_finite_or_fail(r, minus ? -x : x, r->at < r->stop && (dvci_is_blank(*r->at) || *r->at == '/'));
}

static void dvci_obj_vertex(dvci_reader *r)
{
    double numbers[3];
    int k;
    for (k = 0; k < 3; k++) numbers[k] = dvci_obj_number(r);
    if (r->status == DVC_OK) dvci_put_vertex(r->mesh, numbers);
}

static void dvci_obj_face(dvci_reader *r)
{
    int index;
    r->corners = 0;
    for (dvci_skip_blanks(r); r->at < r->stop; dvci_skip_blanks(r)) {
        index = dvci_whole(r, dvci_obj_number(r), DVC_ERROR_MESH_INDEX);
        while (r->at < r->stop && (*r->at == '/' || *r->at == '-' || dvci_is_digit(*r->at))) r->at++;
        dvci_read_corner(r, index < 0 ? index + r->mesh->vertex_count : index - 1);
    }
    if (r->corners < 3) dvci_read_fail(r, DVC_ERROR_MESH_COUNT);
}

DVC_API dvc_status dvc_mesh_read_obj(const char *text, size_t size, dvc_mesh *mesh)
{
    dvci_reader r;
    dvc_status status = dvci_read_start(&r, text, size, mesh, false);
    if (status != DVC_OK) return status;
    r.base = 0;
    while (dvci_next_line(&r)) {
        dvci_skip_blanks(&r);
        if (dvci_obj_keyword(&r, 'v')) dvci_obj_vertex(&r);
        else if (dvci_obj_keyword(&r, 'f')) dvci_obj_face(&r);
    }
    return dvci_read_end(&r);
}

/* ---- what a mesh is like ---- */

static dvc_status dvci_mesh_sound(const dvc_mesh *mesh)
{
    int i, k;
    if (!mesh || !mesh->vertices || !mesh->triangles) return DVC_ERROR_NULL;
    if (mesh->vertex_count < 0 || mesh->triangle_count < 0) return DVC_ERROR_COUNT;
    for (i = 0; i < mesh->vertex_count; i++)
        if (!dvci_within_vec(mesh->vertices[i], DVC_LARGEST)) return DVC_ERROR_MESH_VERTEX;
    for (i = 0; i < mesh->triangle_count; i++)
        for (k = 0; k < 3; k++)
            if (mesh->triangles[i][k] < 0 || mesh->triangles[i][k] >= mesh->vertex_count) return DVC_ERROR_MESH_INDEX;
    return DVC_OK;
}

/* The corners of a triangle, and its normal with the length of twice its area. */
static dvc_vec3 dvci_mesh_triangle(const dvc_mesh *mesh, int triangle, dvc_vec3 corners[3])
{
    int k;
    for (k = 0; k < 3; k++) corners[k] = mesh->vertices[mesh->triangles[triangle][k]];
    return dvci_cross(dvci_sub(corners[1], corners[0]), dvci_sub(corners[2], corners[0]));
}

static bool dvci_mesh_flat(const dvc_mesh *mesh, int triangle)
{
    dvc_vec3 c[3], n = dvci_mesh_triangle(mesh, triangle, c);
    dvc_real longest = 0;
    int k;
    for (k = 0; k < 3; k++) longest = dvci_max(longest, dvci_norm(dvci_sub(c[(k + 1) % 3], c[k])));
    return !(dvci_norm(n) > (DVCI_DOUBLE ? DVCI_R(1e-12) : DVCI_R(1e-6)) * longest * longest);
}

/* About `origin`. */
static dvci_moments dvci_mesh_moments(const dvc_mesh *mesh, dvc_vec3 origin)
{
    dvci_moments m;
    dvc_vec3 c[3];
    int i, k;
    memset(&m, 0, sizeof m);
    for (i = 0; i < mesh->triangle_count; i++) {
        dvci_mesh_triangle(mesh, i, c);
        for (k = 0; k < 3; k++) c[k] = dvci_sub(c[k], origin);
        dvci_add_simplex(&m, 3, dvci_dot(c[0], dvci_cross(c[1], c[2])) / 6, c[0], c[1], c[2]);
    }
    return m;
}

/* The middle of the bounding box: moments about it lose least to rounding. The largest half edge is the mesh's size. */
static dvc_vec3 dvci_mesh_middle(const dvc_mesh *mesh, dvc_real *size)
{
    dvc_vec3 low = dvci_vec(0, 0, 0), high = low, v;
    int i;
    for (i = 0; i < mesh->vertex_count; i++) {
        v = mesh->vertices[i];
        if (i == 0) low = high = v;
        low = dvci_vec(dvci_min(low.x, v.x), dvci_min(low.y, v.y), dvci_min(low.z, v.z));
        high = dvci_vec(dvci_max(high.x, v.x), dvci_max(high.y, v.y), dvci_max(high.z, v.z));
    }
    v = dvci_sub(dvci_scale(high, DVCI_R(0.5)), dvci_scale(low, DVCI_R(0.5)));
    *size = dvci_max(v.x, dvci_max(v.y, v.z));
    return dvci_add(low, v);
}

/* Edge e runs from corner e % 3 of triangle e / 3 to the next corner. */
static int dvci_mesh_tail(const dvc_mesh *mesh, int e) { return mesh->triangles[e / 3][e % 3]; }
static int dvci_mesh_head(const dvc_mesh *mesh, int e) { return mesh->triangles[e / 3][(e + 1) % 3]; }

typedef struct dvci_mesh_edges {
    int *first, *next; /* (vertex_count), (3 triangle_count) lists of the edges that leave a vertex; -1 ends them */
} dvci_mesh_edges;

static void dvci_mesh_edges_carve(dvci_mesh_edges *edges, const dvc_mesh *mesh, dvci_arena *arena)
{
    edges->first = dvci_alloc_ints(arena, (size_t)mesh->vertex_count);
    edges->next = dvci_alloc_ints(arena, 3 * (size_t)mesh->triangle_count);
}

static void dvci_mesh_edges_link(dvci_mesh_edges *edges, const dvc_mesh *mesh)
{
    int e, tail;
    for (e = 0; e < mesh->vertex_count; e++) edges->first[e] = -1;
    for (e = 3 * mesh->triangle_count - 1; e >= 0; e--) {
        const int *c = mesh->triangles[e / 3];
        if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0]) continue;
        tail = dvci_mesh_tail(mesh, e);
        edges->next[e] = edges->first[tail];
        edges->first[tail] = e;
    }
}

/* How many edges run from tail to head, and the first of them. */
static int dvci_mesh_edges_count(const dvci_mesh_edges *edges, const dvc_mesh *mesh, int tail, int head, int *first)
{
    int e, count = 0;
    *first = 3 * mesh->triangle_count;
    for (e = edges->first[tail]; e >= 0; e = edges->next[e]) {
        if (dvci_mesh_head(mesh, e) != head) continue;
        *first = dvci_imin(*first, e);
        count++;
    }
    return count;
}

/* Counts what is wrong around an edge, where it is met first. */
static void dvci_mesh_judge_edge(const dvci_mesh_edges *edges, const dvc_mesh *mesh, int e, dvc_mesh_report *report)
{
    int tail = dvci_mesh_tail(mesh, e), head = dvci_mesh_head(mesh, e), first, first_back;
    int forth = dvci_mesh_edges_count(edges, mesh, tail, head, &first);
    int back = dvci_mesh_edges_count(edges, mesh, head, tail, &first_back);
    if (e != dvci_imin(first, first_back)) return;
    report->open_edges += forth + back == 1;
    report->turned_edges += forth + back == 2 && back != 1;
    report->crowded_edges += forth + back > 2;
}

DVC_API size_t dvc_mesh_scratch_size(const dvc_mesh *mesh)
{
    dvci_arena arena = dvci_arena_measure();
    dvci_mesh_edges edges;
    if (!mesh || mesh->vertex_count < 0 || mesh->triangle_count < 0) return 0;
    dvci_mesh_edges_carve(&edges, mesh, &arena);
    return dvci_arena_bytes(arena.peak);
}

DVC_API dvc_status dvc_mesh_check(const dvc_mesh *mesh, void *scratch, size_t scratch_size, dvc_mesh_report *report)
{
    dvci_arena arena = dvci_arena_over(scratch, scratch_size);
    dvci_mesh_edges edges;
    dvc_mesh_report found;
    dvc_real size;
    dvc_status status = dvci_mesh_sound(mesh);
    int i;
    memset(&found, 0, sizeof found);
    if (report) *report = found;
    if (status != DVC_OK) return status;
    if (mesh->triangle_count > DVCI_TEXT_MOST / 2) return DVC_ERROR_COUNT;
    dvci_mesh_edges_carve(&edges, mesh, &arena);
    if (arena.failed) return DVC_ERROR_MESH_SCRATCH;
    dvci_mesh_edges_link(&edges, mesh);
    for (i = 0; i < 3 * mesh->triangle_count; i++) dvci_mesh_judge_edge(&edges, mesh, i, &found);
    for (i = 0; i < mesh->triangle_count; i++) found.flat_triangles += dvci_mesh_flat(mesh, i);
    found.volume = dvci_mesh_moments(mesh, dvci_mesh_middle(mesh, &size)).volume;
    if (report) *report = found;
    if (found.open_edges + found.crowded_edges > 0) return DVC_ERROR_MESH_OPEN;
    if (found.turned_edges > 0) return DVC_ERROR_MESH_TURNED;
    if (!(found.volume > 0)) return DVC_ERROR_MESH_INWARD;
    return found.flat_triangles > 0 ? DVC_ERROR_MESH_FLAT : DVC_OK;
}

DVC_API bool dvc_mesh_is_convex(const dvc_mesh *mesh)
{
    dvc_vec3 c[3], n;
    dvc_real size, tolerance;
    int i, k;
    if (dvci_mesh_sound(mesh) != DVC_OK) return false;
    dvci_mesh_middle(mesh, &size);
    tolerance = size * (DVCI_DOUBLE ? DVCI_R(1e-9) : DVCI_R(1e-5));
    for (i = 0; i < mesh->triangle_count; i++) {
        n = dvci_unit(dvci_mesh_triangle(mesh, i, c));
        if (dvci_mesh_flat(mesh, i)) continue;
        for (k = 0; k < mesh->vertex_count; k++)
            if (dvci_dot(n, dvci_sub(mesh->vertices[k], c[0])) > tolerance) return false;
    }
    return mesh->triangle_count > 0;
}

DVC_API dvc_status dvc_mesh_mass(const dvc_mesh *mesh, dvc_mass *out)
{
    dvci_moments m;
    dvci_mat3 inertia;
    dvc_vec3 middle, shift, moments;
    dvc_quat axes;
    dvc_real size;
    bool turned = false;
    dvc_status status = dvci_mesh_sound(mesh);
    if (!out) return DVC_ERROR_NULL;
    memset(out, 0, sizeof *out);
    if (status != DVC_OK) return status;
    middle = dvci_mesh_middle(mesh, &size);
    m = dvci_mesh_moments(mesh, middle);
    if (!(m.volume > 0) || !dvci_finite(m.volume)) return DVC_ERROR_MESH_INWARD;
    shift = dvci_scale(m.first, 1 / m.volume);
    m.second = dvci_matmadd(m.second, dvci_outer(shift, shift), -m.volume);
    inertia = dvci_inertia_of(m.second);
    axes = dvci_principal_axes(inertia, &moments, &turned);
    if (!(moments.x > 0) || !(moments.y > 0) || !(moments.z > 0) || !dvci_finite_vec(moments)) return DVC_ERROR_MESH_INWARD;
    out->volume = m.volume;
    out->centre = dvci_add(middle, shift);
    out->inertia[0] = inertia.x;
    out->inertia[1] = inertia.y;
    out->inertia[2] = inertia.z;
    out->moments = moments;
    out->axes = axes;
    return DVC_OK;
}

/* ------------------------------------------------------------------------------------------------
 * >>parts  shapes in the world
 * ------------------------------------------------------------------------------------------------
 * A part is a convex shape as the geometry below sees it: vertices, faces and edges in world axes, relative to the centre
 * of its body, plus a skin. A sphere is one vertex with its radius as skin; a half-space one face without vertices; a
 * polygon has faces with two vertices each and no edges: so each pair of kinds goes through the same functions.
 */

/* A box: vertex i has the signs of the bits of i (1: x, 2: y, 4: z); faces -x +x -y +y -z +z. */
static const int dvci_box_loops[24] = { 0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4, 2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6 };
static const dvc_edge dvci_box_edges[12] = {
    { 0, 4, 0, 2, { 0, 0, 0 }, { 0, 0, 0 } }, { 4, 6, 0, 5, { 0, 0, 0 }, { 0, 0, 0 } }, { 2, 6, 3, 0, { 0, 0, 0 }, { 0, 0, 0 } },
    { 0, 2, 4, 0, { 0, 0, 0 }, { 0, 0, 0 } }, { 1, 3, 1, 4, { 0, 0, 0 }, { 0, 0, 0 } }, { 3, 7, 1, 3, { 0, 0, 0 }, { 0, 0, 0 } },
    { 5, 7, 5, 1, { 0, 0, 0 }, { 0, 0, 0 } }, { 1, 5, 2, 1, { 0, 0, 0 }, { 0, 0, 0 } }, { 0, 1, 2, 4, { 0, 0, 0 }, { 0, 0, 0 } },
    { 4, 5, 5, 2, { 0, 0, 0 }, { 0, 0, 0 } }, { 6, 7, 3, 5, { 0, 0, 0 }, { 0, 0, 0 } }, { 2, 3, 4, 3, { 0, 0, 0 }, { 0, 0, 0 } }
};
/* The edges of a box along those loops. */
static const int dvci_box_sides[24] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 7, 9, 0, 2, 10, 5, 11, 3, 11, 4, 8, 9, 6, 10, 1 };
/* A polygon's face i runs from vertex i to vertex i + 1. */
static const int dvci_rectangle_loops[8] = { 0, 1, 1, 2, 2, 3, 3, 0 };

static int dvci_face_loop(const dvci_part *part, int face, const int **loop)
{
    *loop = part->loops + (part->faces ? part->faces[face].first : face * part->face_size);
    return part->faces ? part->faces[face].count : part->face_size;
}

static void dvci_part_counts(const dvc_shape *shape, bool planar, dvci_part *part)
{
    part->vertex_count = part->face_count = part->edge_count = 0;
    switch (shape->kind) {
    case DVC_SPHERE: part->vertex_count = 1; break;
    case DVC_PLANE: part->face_count = 1; break;
    case DVC_BOX:
        part->vertex_count = planar ? 4 : 8;
        part->face_count = planar ? 4 : 6;
        part->edge_count = planar ? 0 : 12;
        break;
    case DVC_POLYTOPE:
        part->vertex_count = shape->polytope->vertex_count;
        part->face_count = shape->polytope->face_count;
        part->edge_count = shape->polytope->edge_count;
        break;
    case DVC_POLYGON: part->vertex_count = part->face_count = shape->point_count; break;
    default: break;
    }
}

/* Topology, and the arrays that dvci_part_place fills. */
static void dvci_part_carve(const dvc_shape *shape, bool planar, dvci_part *part, dvci_arena *arena)
{
    size_t vertices, faces;
    int *loops, i;
    dvci_part_counts(shape, planar, part);
    vertices = (size_t)part->vertex_count;
    faces = (size_t)part->face_count;
    part->vertices = (dvc_vec3 *)dvci_alloc_reals(arena, 3 * vertices + 4 * faces);
    part->normals = part->vertices ? part->vertices + vertices : NULL;
    part->offsets = part->vertices ? (dvc_real *)(part->normals + faces) : NULL;
    part->faces = NULL;
    part->edges = NULL;
    part->loops = dvci_rectangle_loops; /* for what has no faces, too: NULL + 0 is undefined */
    part->face_size = 2;
    if (shape->kind == DVC_BOX) {
        if (!planar) part->loops = dvci_box_loops;
        if (!planar) part->face_size = 4;
        part->edges = dvci_box_edges;
    } else if (shape->kind == DVC_POLYTOPE) {
        part->faces = shape->polytope->faces;
        part->edges = shape->polytope->edges;
        part->loops = shape->polytope->loops;
    } else if (shape->kind == DVC_POLYGON) {
        loops = dvci_alloc_ints(arena, 2 * (size_t)shape->point_count);
        for (i = 0; loops && i < shape->point_count; i++) {
            loops[2 * i] = i;
            loops[2 * i + 1] = i + 1 < shape->point_count ? i + 1 : 0;
        }
        part->loops = loops;
    }
}

/* Radii of balls around and inside. */
static void dvci_part_measure(const dvc_shape *shape, bool planar, dvci_part *part)
{
    dvc_vec3 h = shape->half;
    int i;
    part->skin = shape->kind == DVC_SPHERE ? shape->radius : 0;
    part->size = part->inner = part->skin;
    switch (shape->kind) {
    case DVC_BOX:
        part->size = dvci_sqrt(h.x * h.x + h.y * h.y + (planar ? 0 : h.z * h.z));
        part->inner = dvci_min(h.x, planar ? h.y : dvci_min(h.y, h.z));
        break;
    case DVC_POLYTOPE:
        part->size = dvci_norm(dvci_sub(shape->polytope->high, shape->polytope->low)) / 2;
        part->inner = shape->polytope->inner;
        break;
    case DVC_POLYGON: {
        dvc_vec2 low = shape->points[0], high = low;
        for (i = 0; i < shape->point_count; i++) {
            low.x = dvci_min(low.x, shape->points[i].x); high.x = dvci_max(high.x, shape->points[i].x);
            low.y = dvci_min(low.y, shape->points[i].y); high.y = dvci_max(high.y, shape->points[i].y);
        }
        part->size = dvci_norm(dvci_vec(high.x - low.x, high.y - low.y, 0)) / 2;
        part->inner = dvci_min(high.x - low.x, high.y - low.y) / 4;
        break;
    }
    default: break;
    }
}

/* Vertex i and face i of a shape in its own frame. */
static dvc_vec3 dvci_shape_vertex(const dvc_shape *shape, bool planar, int i)
{
    dvc_vec3 h = shape->half;
    switch (shape->kind) {
    case DVC_BOX:
        if (planar) return dvci_vec(i == 1 || i == 2 ? h.x : -h.x, i > 1 ? h.y : -h.y, 0);
        return dvci_vec(i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z);
    case DVC_POLYTOPE: return shape->polytope->vertices[i];
    case DVC_POLYGON: return dvci_vec(shape->points[i].x, shape->points[i].y, 0);
    default: return dvci_vec(0, 0, 0);
    }
}

static dvc_vec3 dvci_shape_normal(const dvc_shape *shape, bool planar, int i)
{
    dvc_real sign = i & 1 ? DVCI_R(1.0) : DVCI_R(-1.0);
    switch (shape->kind) {
    case DVC_PLANE: return dvci_unit(shape->normal);
    case DVC_BOX:
        if (planar) return dvci_vec(i == 1 ? 1 : i == 3 ? -1 : 0, i == 0 ? -1 : i == 2 ? 1 : 0, 0);
        return dvci_vec(i / 2 == 0 ? sign : 0, i / 2 == 1 ? sign : 0, i / 2 == 2 ? sign : 0);
    case DVC_POLYTOPE: return shape->polytope->faces[i].normal;
    case DVC_POLYGON: {
        dvc_vec2 a = shape->points[i], b = shape->points[i + 1 < shape->point_count ? i + 1 : 0];
        return dvci_unit(dvci_vec(b.y - a.y, a.x - b.x, 0));
    }
    default: return dvci_vec(0, 0, 0);
    }
}

/* Axes and centre of a shape whose body is turned by q; the centre is relative to the body's. */
static void dvci_shape_frame(const dvc_shape *shape, bool planar, dvc_quat q, dvci_mat3 *axes, dvc_vec3 *centre)
{
    dvci_mat3 turn = dvci_quat_matrix(q);
    bool straight = dvci_zero_vec(dvci_quat_vec(shape->orientation));
    *axes = straight ? turn : dvci_matmul(turn, dvci_quat_matrix(dvci_quat_unit(shape->orientation)));
    *centre = dvci_zero_vec(shape->position) ? shape->position : dvci_mul(turn, dvci_flat(shape->position, planar));
}

/* The box around it, and its middle. */
static void dvci_bound_part(dvci_part *part)
{
    dvc_vec3 skin = dvci_vec(part->skin, part->skin, part->skin), low = dvci_vec(DVC_INFINITY, DVC_INFINITY, DVC_INFINITY);
    dvc_vec3 high = dvci_neg(low), sum = dvci_vec(0, 0, 0);
    int i;
    for (i = 0; i < part->vertex_count; i++) {
        dvc_vec3 p = part->vertices[i];
        sum = dvci_add(sum, p);
        low = dvci_vec(dvci_min(low.x, p.x), dvci_min(low.y, p.y), dvci_min(low.z, p.z));
        high = dvci_vec(dvci_max(high.x, p.x), dvci_max(high.y, p.y), dvci_max(high.z, p.z));
    }
    part->low = dvci_sub(low, skin);
    part->high = dvci_add(high, skin);
    part->middle = part->vertex_count > 0 ? dvci_scale(sum, 1 / (dvc_real)part->vertex_count) : part->centre;
}

/* The same as for any part, with fewer products. */
static void dvci_place_box(dvc_vec3 half, dvci_part *part)
{
    dvci_mat3 axes = dvci_transpose(part->axes);
    dvc_vec3 side[3];
    int i;
    part->normals[1] = axes.x;
    part->normals[3] = axes.y;
    part->normals[5] = axes.z;
    for (i = 0; i < 6; i += 2) part->normals[i] = dvci_neg(part->normals[i + 1]);
    side[0] = dvci_scale(axes.x, half.x);
    side[1] = dvci_scale(axes.y, half.y);
    side[2] = dvci_scale(axes.z, half.z);
    for (i = 0; i < 8; i++) {
        dvc_vec3 p = i & 1 ? side[0] : dvci_neg(side[0]);
        p = i & 2 ? dvci_add(p, side[1]) : dvci_sub(p, side[1]);
        p = i & 4 ? dvci_add(p, side[2]) : dvci_sub(p, side[2]);
        part->vertices[i] = dvci_add(part->centre, p);
    }
}

/* Middle and half sides of a box around a shape in its own frame. */
static dvc_vec3 dvci_shape_bounds(const dvc_shape *shape, bool planar, dvc_vec3 *half)
{
    const dvc_polytope *p = shape->polytope;
    dvc_vec3 middle = dvci_vec(0, 0, 0);
    *half = shape->kind == DVC_BOX ? dvci_flat(shape->half, planar) : middle;
    if (shape->kind != DVC_POLYTOPE) return middle;
    *half = dvci_scale(dvci_sub(p->high, p->low), DVCI_R(0.5));
    return dvci_scale(dvci_add(p->low, p->high), DVCI_R(0.5));
}

/* Only the box around it, with some room. */
static void dvci_part_enclose(const dvc_shape *shape, bool planar, dvci_body *body, dvci_part *part)
{
    dvc_vec3 half, middle = dvci_shape_bounds(shape, planar, &half), spread;
    dvci_mat3 *axes = &part->axes;
    dvci_shape_frame(shape, planar, body->q, axes, &part->centre);
    middle = dvci_add(part->centre, dvci_mul(*axes, middle));
    spread.x = part->skin + dvci_abs(axes->x.x) * half.x + dvci_abs(axes->x.y) * half.y + dvci_abs(axes->x.z) * half.z;
    spread.y = part->skin + dvci_abs(axes->y.x) * half.x + dvci_abs(axes->y.y) * half.y + dvci_abs(axes->y.z) * half.z;
    spread.z = part->skin + dvci_abs(axes->z.x) * half.x + dvci_abs(axes->z.y) * half.y + dvci_abs(axes->z.z) * half.z;
    part->low = dvci_sub(middle, spread);
    part->high = dvci_add(middle, spread);
    body->reach = dvci_max(body->reach, dvci_norm(middle) + part->size);
}

/* Is the box enough, as long as nothing is near? */
static bool dvci_part_encloses(const dvci_body *body, const dvci_part *part)
{
    return body->fixed && (part->kind == DVC_BOX || part->kind == DVC_SPHERE || part->kind == DVC_POLYTOPE);
}

/* The reach of a body out to a part that is laid out. */
static void dvci_body_stretch(dvci_body *body, const dvci_part *part)
{
    int k;
    for (k = 0; k < part->vertex_count; k++) body->reach = dvci_max(body->reach, dvci_norm(part->vertices[k]) + part->skin);
}

/* World geometry at the body's current pose, and the box around it. */
static void dvci_part_place(const dvc_shape *shape, bool planar, const dvci_body *body, dvci_part *part)
{
    int i;
    dvci_shape_frame(shape, planar, body->q, &part->axes, &part->centre);
    if (part->kind == DVC_BOX && !planar) {
        dvci_place_box(shape->half, part);
    } else {
        for (i = 0; i < part->vertex_count; i++)
            part->vertices[i] = dvci_add(part->centre, dvci_mul(part->axes, dvci_shape_vertex(shape, planar, i)));
        for (i = 0; i < part->face_count; i++) part->normals[i] = dvci_mul(part->axes, dvci_shape_normal(shape, planar, i));
    }
    for (i = 0; i < part->face_count; i++) {
        const int *loop;
        if (part->kind != DVC_PLANE) dvci_face_loop(part, i, &loop);
        part->offsets[i] = dvci_dot(part->normals[i], part->kind == DVC_PLANE ? part->centre : part->vertices[loop[0]]);
    }
    dvci_bound_part(part);
}

/* What may have been enclosed keeps that box: who is visited must not depend on who was met. */
static void dvci_part_lay_out(const dvc_shape *shape, bool planar, const dvci_body *body, dvci_part *part)
{
    dvc_vec3 low = part->low, high = part->high;
    part->placed = true;
    dvci_part_place(shape, planar, body, part);
    if (!dvci_part_encloses(body, part)) return;
    part->low = low;
    part->high = high;
}

/* ------------------------------------------------------------------------------------------------
 * >>pairs  which parts come near each other
 * ------------------------------------------------------------------------------------------------
 * Every part has a box around all it may reach in this step: swept along its start and free velocities, grown by its
 * rotation, its share of the slop, and by what an earlier attempt has shown to be missing. Boxes of what can move are put into a
 * tree, halves upon halves along a curve through space, which every part is held against. Half-spaces meet every part that
 * can move once. Parts of fixed bodies are laid out only if they meet something.
 *
 * Two parts are near if their gap is at most (W 5.1 as in the errata)
 *
 *     eps = slop + h (|v_rel| + r_a |w_a| + r_b |w_b|) + h (speed gained from forces) ,       slop = .005 size.
 */
#define DVCI_SLOP DVCI_R(0.005)
#define DVCI_LEAF 6        /* boxes in a leaf, at most */
#define DVCI_TREE_DEPTH 64 /* each level halves the number */
#define DVCI_FEW_CELLS 64

/* Speed that forces add in this step, as seen at the body's farthest point. */
static dvc_real dvci_body_gain(const dvci_body *body, dvc_real lever)
{
    return dvci_norm(dvci_sub(body->v_free, body->v_start)) + lever * dvci_norm(dvci_sub(body->w_free, body->w_start));
}

static void dvci_part_sweep(const dvci_step *s, const dvci_body *body, dvci_part *part)
{
    dvc_vec3 low = dvci_add(body->x, part->low), high = dvci_add(body->x, part->high), by[2], grow;
    dvc_real margin = DVCI_SLOP * part->size + (body->fixed ? 0 : s->world->epsilon);
    int k;
    if (!body->fixed) margin += s->h * (body->reach * dvci_max(dvci_norm(body->w_start), dvci_norm(body->w_free)));
    if (body->extra > 0) margin += body->extra + s->h * dvci_body_gain(body, body->reach); /* struck, whatever the direction */
    grow = dvci_vec(margin, margin, margin);
    by[0] = dvci_scale(body->v_start, s->h);
    by[1] = dvci_scale(body->v_free, s->h);
    part->swept_low = low;
    part->swept_high = high;
    for (k = 0; k < 2 && !body->fixed; k++) {
        dvc_vec3 a = dvci_add(low, by[k]), b = dvci_add(high, by[k]);
        part->swept_low = dvci_vec(dvci_min(part->swept_low.x, a.x), dvci_min(part->swept_low.y, a.y),
                                   dvci_min(part->swept_low.z, a.z));
        part->swept_high = dvci_vec(dvci_max(part->swept_high.x, b.x), dvci_max(part->swept_high.y, b.y),
                                    dvci_max(part->swept_high.z, b.z));
    }
    part->swept_low = dvci_sub(part->swept_low, grow);
    part->swept_high = dvci_add(part->swept_high, grow);
}

/* Parts that are finite and can move, or cannot, in their order; returns how many. */
static int dvci_collect_cells(dvci_step *s, bool moves)
{
    int i, count = 0;
    for (i = s->first_shape; i < s->world->shape_count; i++) {
        const dvci_part *part = &s->parts[i];
        if (part->kind == DVC_NO_SHAPE || part->kind == DVC_PLANE || s->bodies[part->body].dynamic != moves) continue;
        s->cells[count].key = 0;
        s->cells[count++].part = i;
    }
    return count;
}

/* 10 bits, two zeros between each and the next. */
static uint32_t dvci_spread_bits(uint32_t x)
{
    x = (x | x << 16) & 0x030000ffu;
    x = (x | x << 8) & 0x0300f00fu;
    x = (x | x << 4) & 0x030c30c3u;
    return (x | x << 2) & 0x09249249u;
}

/* 0 .. 1023; what is no number is 0. */
static uint32_t dvci_cell_number(dvc_real x) { return x > 0 ? x < 1023 ? (uint32_t)x : 1023 : 0; }

static dvc_vec3 dvci_box_middle(const dvci_part *part)
{
    return dvci_scale(dvci_add(part->swept_low, part->swept_high), DVCI_R(0.5));
}

/* Keys along a Morton curve: of what is near in space, most is near in order. */
static void dvci_number_cells(const dvci_step *s, int count)
{
    dvc_vec3 low, high;
    dvc_real widest;
    int i;
    if (count == 0) return;
    low = high = dvci_box_middle(&s->parts[s->cells[0].part]);
    for (i = 1; i < count; i++) {
        dvc_vec3 m = dvci_box_middle(&s->parts[s->cells[i].part]);
        low = dvci_vec(dvci_min(low.x, m.x), dvci_min(low.y, m.y), dvci_min(low.z, m.z));
        high = dvci_vec(dvci_max(high.x, m.x), dvci_max(high.y, m.y), dvci_max(high.z, m.z));
    }
    widest = dvci_max(high.x - low.x, dvci_max(high.y - low.y, high.z - low.z));
    if (!(widest > 0) || !dvci_finite(widest) || !dvci_finite(1023 / widest)) return;
    for (i = 0; i < count; i++) {
        dvc_vec3 at = dvci_scale(dvci_sub(dvci_box_middle(&s->parts[s->cells[i].part]), low), 1023 / widest);
        s->cells[i].key = dvci_spread_bits(dvci_cell_number(at.x)) | dvci_spread_bits(dvci_cell_number(at.y)) << 1
                        | dvci_spread_bits(dvci_cell_number(at.z)) << 2;
    }
}

/* By keys; equal ones stay in their order. Eight bits at a time, but a few are put in one by one. */
static void dvci_sort_cells(dvci_cell *cells, dvci_cell *work, int count)
{
    int shift, i, k, at[257];
    for (i = 1; i < count && count <= DVCI_FEW_CELLS; i++) {
        dvci_cell keep = cells[i];
        for (k = i; k > 0 && cells[k - 1].key > keep.key; k--) cells[k] = cells[k - 1];
        cells[k] = keep;
    }
    if (count <= DVCI_FEW_CELLS) return;
    for (shift = 0; shift < 32; shift += 8) {
        dvci_cell *swap = cells;
        memset(at, 0, sizeof at);
        for (i = 0; i < count; i++) at[(cells[i].key >> shift & 255u) + 1]++;
        for (i = 0; i < 256; i++) at[i + 1] += at[i];
        for (i = 0; i < count; i++) work[at[cells[i].key >> shift & 255u]++] = cells[i];
        cells = work;
        work = swap;
    }
}

/* Boxes of all finite parts that can move, or cannot, go behind the first `count`; returns how many there are then. */
static int dvci_collect_boxes(dvci_step *s, bool moves, int count)
{
    int i, cells = dvci_collect_cells(s, moves);
    if (moves && cells > DVCI_LEAF) {
        dvci_number_cells(s, cells);
        dvci_sort_cells(s->cells, s->cells + s->world->shape_count, cells);
    }
    for (i = 0; i < cells; i++) {
        dvci_box *box = &s->boxes[count++];
        box->low = s->parts[s->cells[i].part].swept_low;
        box->high = s->parts[s->cells[i].part].swept_high;
        box->moves = moves;
        box->part = s->cells[i].part;
    }
    return count;
}

static void dvci_node_add(dvci_node *node, dvc_vec3 low, dvc_vec3 high)
{
    node->low = dvci_vec(dvci_min(node->low.x, low.x), dvci_min(node->low.y, low.y), dvci_min(node->low.z, low.z));
    node->high = dvci_vec(dvci_max(node->high.x, high.x), dvci_max(node->high.y, high.y), dvci_max(node->high.z, high.z));
}

static dvci_node dvci_empty_node(int first, int count)
{
    dvci_node node;
    node.low = dvci_vec(DVC_INFINITY, DVC_INFINITY, DVC_INFINITY);
    node.high = dvci_neg(node.low);
    node.first = first;
    node.count = count;
    node.child = -1;
    return node;
}

/* Halves upon halves of the boxes in their order. Returns the number of nodes. */
static int dvci_build_tree(dvci_step *s, int count)
{
    int i, k, nodes = 1;
    s->nodes[0] = dvci_empty_node(0, count);
    for (i = 0; i < nodes; i++) {
        dvci_node *node = &s->nodes[i];
        int left = node->count / 2;
        if (node->count <= DVCI_LEAF) continue;
        node->child = nodes;
        s->nodes[nodes] = dvci_empty_node(node->first, left);
        s->nodes[nodes + 1] = dvci_empty_node(node->first + left, node->count - left);
        nodes += 2;
    }
    for (i = nodes - 1; i >= 0; i--) {
        dvci_node *node = &s->nodes[i];
        for (k = 0; node->child < 0 && k < node->count; k++)
            dvci_node_add(node, s->boxes[node->first + k].low, s->boxes[node->first + k].high);
        for (k = 0; node->child >= 0 && k < 2; k++)
            dvci_node_add(node, s->nodes[node->child + k].low, s->nodes[node->child + k].high);
    }
    return nodes;
}

static bool dvci_boxes_meet(dvc_vec3 low_a, dvc_vec3 high_a, dvc_vec3 low_b, dvc_vec3 high_b)
{
    return low_a.x <= high_b.x && low_b.x <= high_a.x && low_a.y <= high_b.y && low_b.y <= high_a.y && low_a.z <= high_b.z
        && low_b.z <= high_a.z;
}

/* Rules and joints are found by their two bodies: keys sorted by them, then by index. */
static bool dvci_key_before(const dvci_key *a, const dvci_key *b)
{
    if (a->low != b->low) return a->low < b->low;
    return a->high != b->high ? a->high < b->high : a->index < b->index;
}

static dvci_key dvci_make_key(int body_a, int body_b, int index)
{
    dvci_key key;
    key.low = dvci_imin(body_a, body_b);
    key.high = dvci_imax(body_a, body_b);
    key.index = index;
    return key;
}

static void dvci_sort_keys(dvci_key *keys, dvci_key *work, int count)
{
    int width, from, i, k, m;
    for (width = 1; width < count; width *= 2) {
        for (from = 0; from < count; from += 2 * width) {
            int middle = dvci_imin(from + width, count), end = dvci_imin(from + 2 * width, count);
            for (i = from, k = middle, m = from; m < end; m++)
                work[m] = k >= end || (i < middle && dvci_key_before(&keys[i], &keys[k])) ? keys[i++] : keys[k++];
        }
        memcpy(keys, work, (size_t)count * sizeof *keys);
    }
}

/* The first index under the two bodies; -1: none. */
static int dvci_find_key(const dvci_key *keys, int count, int body_a, int body_b)
{
    dvci_key key = dvci_make_key(body_a, body_b, -1);
    int from = 0, to = count;
    while (from < to) {
        int middle = from + (to - from) / 2;
        if (dvci_key_before(&keys[middle], &key)) from = middle + 1;
        else to = middle;
    }
    return from < count && keys[from].low == key.low && keys[from].high == key.high ? keys[from].index : -1;
}

static const dvc_pair_rule *dvci_find_rule(const dvci_step *s, int body_a, int body_b)
{
    int found = dvci_find_key(s->rule_keys, s->world->pair_rule_count, body_a, body_b);
    return found < 0 ? NULL : &s->world->pair_rules[found];
}

static bool dvci_joint_present(const dvc_world *world, const dvc_joint *joint)
{
    return joint->kind != DVC_NO_JOINT && !joint->disabled && !world->bodies[joint->body_a].disabled
        && !world->bodies[joint->body_b].disabled;
}

/* Rules, and joints whose bodies do not collide. */
static void dvci_sort_pairs_known(dvci_step *s)
{
    const dvc_world *world = s->world;
    int i;
    for (i = 0; i < world->pair_rule_count; i++)
        s->rule_keys[i] = dvci_make_key(world->pair_rules[i].body_a, world->pair_rules[i].body_b, i);
    dvci_sort_keys(s->rule_keys, s->rule_keys + world->pair_rule_count, world->pair_rule_count);
    for (s->joined_count = 0, i = 0; i < world->joint_count; i++)
        if (dvci_joint_present(world, &world->joints[i]) && !world->joints[i].collide)
            s->joined_keys[s->joined_count++] = dvci_make_key(world->joints[i].body_a, world->joints[i].body_b, i);
    dvci_sort_keys(s->joined_keys, s->joined_keys + world->joint_count, s->joined_count);
}

static uint32_t dvci_category(const dvc_shape *shape) { return shape->category ? shape->category : 1u; }

/* May the two shapes touch at all? */
static bool dvci_pair_allowed(const dvci_step *s, int i, int k)
{
    const dvc_shape *a = &s->world->shapes[i], *b = &s->world->shapes[k];
    const dvc_pair_rule *rule;
    if (a->body == b->body || (!s->bodies[a->body].dynamic && !s->bodies[b->body].dynamic)) return false;
    if ((a->ignore & dvci_category(b)) || (b->ignore & dvci_category(a))) return false;
    if (s->joined_count > 0 && dvci_find_key(s->joined_keys, s->joined_count, a->body, b->body) >= 0) return false;
    rule = s->world->pair_rule_count > 0 ? dvci_find_rule(s, a->body, b->body) : NULL;
    return !rule || !rule->ignore;
}

/* A body of the terrain as the others are, in this attempt. */
static void dvci_terrain_load(dvci_step *s, int body)
{
    if (body >= s->first_body || s->met_bodies[body]) return;
    s->met_bodies[body] = true;
    dvci_load_body(s, body);
    s->bodies[body].reach = s->terrain->reach[body];
    s->bodies[body].extra = 0;
}

static void dvci_terrain_meet(dvci_step *s, int part)
{
    if (s->met_parts[part]) return;
    s->met_parts[part] = true;
    s->parts[part] = s->ends[part] = s->terrain->parts[part];
    if (s->parts[part].kind != DVC_NO_SHAPE) dvci_terrain_load(s, s->parts[part].body);
}

/* Something comes near the part: it is laid out, if it is not yet. */
static void dvci_part_meet(dvci_step *s, int index)
{
    dvci_part *part = &s->parts[index];
    if (index < s->first_shape) { dvci_terrain_meet(s, index); return; }
    if (part->placed) return;
    dvci_part_lay_out(&s->world->shapes[index], s->world->planar, &s->bodies[part->body], part);
    if (s->bodies[part->body].fixed) s->ends[index] = *part;
}

/* Boxes meet: the visitor comes, if the parts may. The first of them may be fixed. */
static void dvci_visit_met(dvci_step *s, int fixed, int part, void (*visit)(dvci_step *s, int part_a, int part_b))
{
    if (fixed < s->first_shape) dvci_terrain_meet(s, fixed);
    if (part < s->first_shape) dvci_terrain_meet(s, part);
    if (!dvci_pair_allowed(s, fixed, part)) return;
    dvci_part_meet(s, fixed);
    dvci_part_meet(s, part);
    visit(s, dvci_imin(fixed, part), dvci_imax(fixed, part));
}

/* The boxes of a run, which can move or cannot, against a leaf's, where all can: of two that can, the earlier one asks. */
static void dvci_visit_leaf(dvci_step *s, const dvci_node *run, bool moves, const dvci_node *leaf,
                            void (*visit)(dvci_step *s, int part_a, int part_b))
{
    int i, k;
    for (i = run->first; i < run->first + run->count; i++) {
        const dvci_box *own = &s->boxes[i], *other;
        if (!dvci_boxes_meet(own->low, own->high, leaf->low, leaf->high)) continue;
        for (k = moves ? dvci_imax(leaf->first, i + 1) : leaf->first; k < leaf->first + leaf->count; k++) {
            other = &s->boxes[k];
            if (dvci_boxes_meet(own->low, own->high, other->low, other->high)) dvci_visit_met(s, own->part, other->part, visit);
        }
    }
}

/* A run of boxes within a box of its own, a leaf or one that cannot move, against the tree. Leaves before it have asked already. */
static void dvci_visit_run(dvci_step *s, const dvci_node *run, bool moves,
                           void (*visit)(dvci_step *s, int part_a, int part_b))
{
    int stack[DVCI_TREE_DEPTH], depth = 1, from = moves ? run->first : 0;
    stack[0] = 0;
    while (depth > 0) {
        const dvci_node *node = &s->nodes[stack[--depth]];
        if (node->first + node->count <= from || !dvci_boxes_meet(run->low, run->high, node->low, node->high)) continue;
        if (node->child < 0) {
            dvci_visit_leaf(s, run, moves, node, visit);
        } else {
            stack[depth++] = node->child + 1;
            stack[depth++] = node->child;
        }
    }
}

/* The boxes of a leaf against the terrain's. */
static void dvci_visit_terrain(dvci_step *s, const dvci_node *run, void (*visit)(dvci_step *s, int part_a, int part_b))
{
    int stack[DVCI_TREE_DEPTH], depth = 1, i, k;
    stack[0] = 0;
    while (depth > 0) {
        const dvci_node *node = &s->terrain->nodes[stack[--depth]];
        if (!dvci_boxes_meet(run->low, run->high, node->low, node->high)) continue;
        if (node->child >= 0) {
            stack[depth++] = node->child + 1;
            stack[depth++] = node->child;
            continue;
        }
        for (i = run->first; i < run->first + run->count; i++)
            for (k = node->first; k < node->first + node->count; k++) {
                const dvci_box *own = &s->boxes[i], *other = &s->terrain->boxes[k];
                if (dvci_boxes_meet(own->low, own->high, other->low, other->high)) dvci_visit_met(s, other->part, own->part, visit);
            }
    }
}

/* A half-space against all that can move, or against all, if it can itself. */
static void dvci_visit_plane(dvci_step *s, int plane, int movers, int count,
                             void (*visit)(dvci_step *s, int part_a, int part_b))
{
    bool moves = s->bodies[s->parts[plane].body].dynamic;
    int k;
    for (k = 0; k < (moves ? count : movers); k++) dvci_visit_met(s, plane, s->boxes[k].part, visit);
    for (k = 0; moves && s->terrain && k < s->terrain->box_count; k++)
        dvci_visit_met(s, plane, s->terrain->boxes[k].part, visit);
}

/* Calls `visit` for every allowed pair of parts whose boxes meet. */
static void dvci_sweep_pairs(dvci_step *s, void (*visit)(dvci_step *s, int part_a, int part_b))
{
    int movers = dvci_collect_boxes(s, true, 0), count = dvci_collect_boxes(s, false, movers), i;
    int nodes = dvci_build_tree(s, movers);
    for (i = 0; i < nodes; i++) {
        if (s->nodes[i].child >= 0) continue;
        dvci_visit_run(s, &s->nodes[i], true, visit);
        if (s->terrain) dvci_visit_terrain(s, &s->nodes[i], visit);
    }
    for (i = movers; i < count; i++) {
        dvci_node run = dvci_empty_node(i, 1);
        dvci_node_add(&run, s->boxes[i].low, s->boxes[i].high);
        dvci_visit_run(s, &run, false, visit);
    }
    for (i = 0; s->terrain && i < s->terrain->plane_count; i++)
        dvci_visit_plane(s, s->terrain->planes[i], movers, count, visit);
    for (i = s->first_shape; i < s->world->shape_count; i++)
        if (s->parts[i].kind == DVC_PLANE) dvci_visit_plane(s, i, movers, count, visit);
}

/* ------------------------------------------------------------------------------------------------
 * >>terrain  fixed shapes laid out once
 * ------------------------------------------------------------------------------------------------
 * The storage holds the parts as a step would lay them out, and a tree of their boxes. In a step the bodies and parts of the
 * terrain are not there until they are met: then their part is copied from the storage, and their body loaded.
 */

static void dvci_terrain_carve(dvci_terrain *t, const dvc_world *world, int body_count, int shape_count, dvci_arena *arena)
{
    size_t shapes = (size_t)shape_count;
    int i;
    t->parts = (dvci_part *)dvci_alloc(arena, shapes, sizeof *t->parts);
    t->reach = dvci_alloc_reals(arena, (size_t)body_count);
    t->planes = dvci_alloc_ints(arena, shapes);
    t->boxes = (dvci_box *)dvci_alloc(arena, shapes, sizeof *t->boxes);
    t->nodes = (dvci_node *)dvci_alloc(arena, 2 * shapes + 1, sizeof *t->nodes);
    for (i = 0; i < shape_count; i++) {
        dvci_part measured, *part = arena->failed || !arena->base ? &measured : &t->parts[i];
        memset(part, 0, sizeof *part);
        if (!dvci_shape_present(world, i)) continue;
        part->kind = world->shapes[i].kind;
        part->body = world->shapes[i].body;
        dvci_part_carve(&world->shapes[i], world->planar, part, arena);
        dvci_part_measure(&world->shapes[i], world->planar, part);
    }
}

/* All static, on its own, and sound? */
static dvc_status dvci_terrain_check(const dvc_world *world, int body_count, int shape_count, int *culprit)
{
    dvc_status status = DVC_OK;
    int i;
    *culprit = -1;
    if (body_count < 0 || shape_count < 0 || body_count > world->body_count || shape_count > world->shape_count || !world->bodies
        || (!world->shapes && world->shape_count > 0) || !dvci_check_count(world->body_count)
        || !dvci_check_count(world->shape_count))
        return DVC_ERROR_TERRAIN;
    for (i = 0; i < body_count && status == DVC_OK; i++) {
        status = dvci_check_body(world, &world->bodies[i]);
        if (status == DVC_OK && world->bodies[i].kind != DVC_STATIC) status = DVC_ERROR_TERRAIN;
        if (status != DVC_OK) *culprit = i;
    }
    for (i = 0; i < world->shape_count && status == DVC_OK; i++) {
        const dvc_shape *shape = &world->shapes[i];
        status = dvci_check_shape(world, shape, i < shape_count ? 0 : body_count);
        if (status == DVC_OK && i < shape_count && dvci_shape_present(world, i) && shape->body >= body_count)
            status = DVC_ERROR_TERRAIN;
        if (status != DVC_OK) *culprit = i;
    }
    return status;
}

/* Parts, and how far bodies reach, as a step has them. */
static void dvci_terrain_place(dvci_terrain *t, const dvc_world *world, int index)
{
    const dvc_shape *shape = &world->shapes[index];
    dvci_part *part = &t->parts[index];
    dvci_body body;
    if (part->kind == DVC_NO_SHAPE) return;
    memset(&body, 0, sizeof body);
    body.fixed = true;
    body.x = dvci_flat(world->bodies[part->body].position, world->planar);
    body.q = dvci_quat_unit(world->bodies[part->body].orientation);
    body.reach = t->reach[part->body];
    if (dvci_part_encloses(&body, part)) dvci_part_enclose(shape, world->planar, &body, part);
    dvci_part_lay_out(shape, world->planar, &body, part);
    if (!dvci_part_encloses(&body, part)) dvci_body_stretch(&body, part);
    t->reach[part->body] = body.reach;
    part->swept_low = dvci_add(body.x, part->low);
    part->swept_high = dvci_add(body.x, part->high);
    t->mark = dvci_mix_shape(dvci_mix_body(dvci_mix(t->mark, (uint64_t)index), &world->bodies[part->body]), shape);
    if (part->kind == DVC_PLANE) t->planes[t->plane_count++] = index;
    else t->box_count++;
}

/* The tree of the boxes; `cells` for twice as many. */
static void dvci_terrain_order(dvci_terrain *t, dvc_world *world, int shape_count, dvci_cell *cells)
{
    dvci_step s;
    int i, count = 0;
    memset(&s, 0, sizeof s);
    s.world = world;
    s.parts = t->parts;
    s.boxes = t->boxes;
    s.nodes = t->nodes;
    s.cells = cells;
    for (i = 0; i < shape_count; i++) {
        if (t->parts[i].kind == DVC_NO_SHAPE || t->parts[i].kind == DVC_PLANE) continue;
        cells[count].key = 0;
        cells[count++].part = i;
    }
    dvci_number_cells(&s, count);
    dvci_sort_cells(cells, cells + shape_count, count);
    for (i = 0; i < count; i++) {
        const dvci_part *part = &t->parts[cells[i].part];
        dvc_real slop = DVCI_SLOP * part->size;
        t->boxes[i].low = dvci_sub(part->swept_low, dvci_vec(slop, slop, slop));
        t->boxes[i].high = dvci_add(part->swept_high, dvci_vec(slop, slop, slop));
        t->boxes[i].moves = false;
        t->boxes[i].part = cells[i].part;
    }
    dvci_build_tree(&s, count);
}

DVC_API size_t dvc_terrain_size(const dvc_world *world, int body_count, int shape_count)
{
    dvci_arena arena = dvci_arena_measure();
    dvci_terrain measured;
    int culprit;
    if (!world || dvci_terrain_check(world, body_count, shape_count, &culprit) != DVC_OK) return 0;
    dvci_alloc(&arena, 1, sizeof measured);
    dvci_terrain_carve(&measured, world, body_count, shape_count, &arena);
    dvci_alloc(&arena, 2 * (size_t)shape_count, sizeof(dvci_cell));
    return dvci_arena_bytes(arena.peak);
}

DVC_API dvc_status dvc_terrain_build(dvc_world *world, int body_count, int shape_count, void *storage, size_t storage_size,
                                     dvc_terrain *out)
{
    dvci_arena arena = dvci_arena_over(storage, storage_size);
    dvci_terrain *t;
    dvci_cell *cells;
    dvc_status status;
    int i;
    if (!world || !storage || !out) return DVC_ERROR_NULL;
    memset(out, 0, sizeof *out);
    status = dvci_terrain_check(world, body_count, shape_count, &world->culprit);
    if (status != DVC_OK) return status;
    t = (dvci_terrain *)dvci_alloc(&arena, 1, sizeof *t);
    if (arena.failed) return DVC_ERROR_STORAGE;
    memset(t, 0, sizeof *t);
    dvci_terrain_carve(t, world, body_count, shape_count, &arena);
    cells = (dvci_cell *)dvci_alloc(&arena, 2 * (size_t)shape_count, sizeof *cells);
    if (arena.failed) return DVC_ERROR_STORAGE;
    t->planar = world->planar;
    dvci_fill(body_count, 0, t->reach);
    for (i = 0; i < shape_count; i++) dvci_terrain_place(t, world, i);
    dvci_terrain_order(t, world, shape_count, cells);
    out->body_count = body_count;
    out->shape_count = shape_count;
    out->layout = t;
    return DVC_OK;
}

/* ------------------------------------------------------------------------------------------------
 * >>load  the step's own copy of the world
 * ------------------------------------------------------------------------------------------------ */

/* A shape that takes part: it and its body are there. */
static bool dvci_shape_present(const dvc_world *world, int i)
{
    const dvc_shape *shape = &world->shapes[i];
    return shape->kind != DVC_NO_SHAPE && !shape->disabled && !world->bodies[shape->body].disabled;
}

/* Everything whose size is known when the step begins. */
static void dvci_step_carve(dvci_step *s, const dvc_world *world, dvci_arena *arena)
{
    size_t bodies = (size_t)world->body_count, shapes = (size_t)world->shape_count, contacts = (size_t)world->contact_capacity;
    size_t joints = (size_t)world->joint_count, springs = (size_t)world->spring_count;
    int i;
    s->terrain = dvci_terrain_of(world);
    s->first_body = dvci_terrain_bodies(world);
    s->first_shape = dvci_terrain_shapes(world);
    s->met_bodies = (bool *)dvci_alloc(arena, (size_t)s->first_body, sizeof *s->met_bodies);
    s->met_parts = (bool *)dvci_alloc(arena, (size_t)s->first_shape, sizeof *s->met_parts);
    s->bodies = (dvci_body *)dvci_alloc(arena, bodies, sizeof *s->bodies);
    s->parts = (dvci_part *)dvci_alloc(arena, shapes, sizeof *s->parts);
    s->ends = (dvci_part *)dvci_alloc(arena, shapes, sizeof *s->ends);
    s->end_vertices = (dvc_vec3 **)dvci_alloc(arena, shapes, sizeof *s->end_vertices);
    s->end_normals = (dvc_vec3 **)dvci_alloc(arena, shapes, sizeof *s->end_normals);
    s->rule_keys = (dvci_key *)dvci_alloc(arena, 2 * (size_t)world->pair_rule_count, sizeof *s->rule_keys);
    s->joined_keys = (dvci_key *)dvci_alloc(arena, 2 * joints, sizeof *s->joined_keys);
    s->links = (dvci_link *)dvci_alloc(arena, joints + springs + bodies, sizeof *s->links);
    s->link_rows = (dvci_link_row *)dvci_alloc(arena, dvci_link_row_limit(world), sizeof *s->link_rows);
    s->island_links = dvci_alloc_ints(arena, joints + springs + bodies);
    s->boxes = (dvci_box *)dvci_alloc(arena, shapes, sizeof *s->boxes);
    s->nodes = (dvci_node *)dvci_alloc(arena, 2 * shapes + 1, sizeof *s->nodes);
    s->cells = (dvci_cell *)dvci_alloc(arena, 2 * shapes, sizeof *s->cells);
    s->marks = dvci_world_rests(world) ? (uint64_t *)dvci_alloc(arena, 2 * bodies, sizeof *s->marks) : NULL;
    s->between = dvci_world_rests(world) ? dvci_alloc_ints(arena, 2 * contacts) : NULL;
    s->point_limit = world->contact_capacity;
    s->groups = (dvci_group *)dvci_alloc(arena, contacts + 1, sizeof *s->groups);
    s->facets = (dvci_facet *)dvci_alloc(arena, 2 * contacts + 2, sizeof *s->facets);
    s->points = (dvci_point *)dvci_alloc(arena, contacts, sizeof *s->points);
    s->list = dvci_alloc_ints(arena, contacts);
    s->order = dvci_alloc_ints(arena, 2 * contacts);
    s->known = dvci_alloc_ints(arena, shapes + 1);
    s->islands = (dvci_island *)dvci_alloc(arena, bodies, sizeof *s->islands);
    s->island_bodies = dvci_alloc_ints(arena, bodies);
    s->island_groups = dvci_alloc_ints(arena, contacts);
    for (i = s->first_shape; i < world->shape_count; i++) {
        dvci_part measured, *part = arena->failed || !arena->base ? &measured : &s->parts[i];
        dvc_vec3 *ends;
        memset(part, 0, sizeof *part);
        if (dvci_shape_present(world, i)) {
            part->kind = world->shapes[i].kind;
            part->body = world->shapes[i].body;
            dvci_part_carve(&world->shapes[i], world->planar, part, arena);
            dvci_part_measure(&world->shapes[i], world->planar, part);
        }
        ends = (dvc_vec3 *)dvci_alloc_reals(arena, 3 * ((size_t)part->vertex_count + (size_t)part->face_count));
        if (arena->failed || !arena->base) continue;
        s->end_vertices[i] = ends;
        s->end_normals[i] = ends + part->vertex_count;
    }
}

static void dvci_load_body(dvci_step *s, int index)
{
    const dvc_body *user = &s->world->bodies[index];
    dvci_body *body = &s->bodies[index];
    bool planar = s->world->planar;
    memset(body, 0, sizeof *body);
    body->present = !user->disabled;
    body->dynamic = body->present && user->kind == DVC_DYNAMIC;
    body->island = body->slot = -1;
    body->x = dvci_flat(user->position, planar);
    body->q = dvci_quat_unit(user->orientation);
    body->fixed = user->kind == DVC_STATIC;
    if (!body->present) return;
    if (body->fixed) {
        body->turns = body->round = true;
        dvci_body_move(body, s->h);
        return;
    }
    if (!body->dynamic) {
        dvci_body_given(s, index, s->time, s->h);
        return;
    }
    body->inverse_mass = 1 / user->mass;
    body->moments = planar ? dvci_vec(0, 0, user->inertia.z) : user->inertia;
    body->turns = body->moments.z > 0;
    body->round = planar || (user->inertia.x == user->inertia.y && user->inertia.y == user->inertia.z);
    body->v_start = dvci_flat(user->velocity, planar);
    body->w_start = body->turns ? (planar ? dvci_vec(0, 0, user->angular_velocity.z) : user->angular_velocity)
                                : dvci_vec(0, 0, 0);
    body->inverse_inertia = body->turns ? dvci_inverse_inertia(body->moments, body->q, planar) : dvci_diagonal(0, 0, 0);
}

/* Of the terrain what is met whatever is near: half-spaces, and what links hold. */
static void dvci_load_terrain(dvci_step *s)
{
    const dvc_world *world = s->world;
    int i;
    if (!s->terrain) return;
    memset(s->met_bodies, 0, (size_t)s->first_body * sizeof *s->met_bodies);
    memset(s->met_parts, 0, (size_t)s->first_shape * sizeof *s->met_parts);
    for (i = 0; i < s->terrain->plane_count; i++) dvci_terrain_meet(s, s->terrain->planes[i]);
    for (i = 0; i < world->joint_count; i++) {
        if (!dvci_joint_present(world, &world->joints[i])) continue;
        dvci_terrain_load(s, world->joints[i].body_a);
        dvci_terrain_load(s, world->joints[i].body_b);
    }
    for (i = 0; i < world->spring_count; i++) {
        if (!dvci_spring_present(world, &world->springs[i])) continue;
        dvci_terrain_load(s, world->springs[i].body_a);
        dvci_terrain_load(s, world->springs[i].body_b);
    }
}

/* Bodies at the start. */
static void dvci_load_bodies(dvci_step *s)
{
    int i;
    for (i = s->first_body; i < s->world->body_count; i++) {
        dvc_real extra = s->report.repeats > 0 ? s->bodies[i].extra : 0;
        dvci_load_body(s, i);
        s->bodies[i].extra = extra;
    }
}

/* Where they would go freely, shapes around them. */
static void dvci_load(dvci_step *s)
{
    int i;
    if (s->status != DVC_OK) return;
    dvci_load_terrain(s);
    dvci_load_forces(s);
    for (i = s->first_body; i < s->world->body_count; i++)
        if (s->bodies[i].dynamic) dvci_body_free(s, i);
    for (i = s->first_shape; i < s->world->shape_count && s->status == DVC_OK; i++) {
        dvci_part *part = &s->parts[i];
        dvci_body *body = &s->bodies[part->body];
        if (part->kind == DVC_NO_SHAPE) continue;
        part->placed = false;
        if (dvci_part_encloses(body, part)) {
            dvci_part_enclose(&s->world->shapes[i], s->world->planar, body, part);
        } else {
            dvci_part_meet(s, i);
            dvci_body_stretch(body, part);
        }
    }
    for (i = s->first_shape; i < s->world->shape_count && s->status == DVC_OK; i++)
        if (s->parts[i].kind != DVC_NO_SHAPE && s->parts[i].kind != DVC_PLANE)
            dvci_part_sweep(s, &s->bodies[s->parts[i].body], &s->parts[i]);
    dvci_load_links(s);
    if (s->status == DVC_OK) dvci_check_bodies_end(s, DVC_ERROR_TOO_FAST); /* of free motion */
}

/* ------------------------------------------------------------------------------------------------
 * >>facets  polytope exact geometry: the facets of a pair
 * ------------------------------------------------------------------------------------------------
 * Two convex parts are apart exactly when some facet of their configuration-space obstacle has a gap >= 0: a face of one
 * against the other's vertices, or a pair of crossing edges. One disjunction per pair of parts, "max over facets >= 0",
 * therefore forbids overlap and nothing else; W's U, I and X constraints are its pieces.
 *
 * Only facets that can be the largest at the end of the step are kept: those within 2 eps of the largest now, where eps
 * bounds how far the pair can move. A facet is *enforced* through points:
 *
 *   flush     two faces nearly parallel: the corners of their common polygon: vertices of each inside the other and
 *             crossings of their outlines. What hangs over an edge is not held up; the edge itself is.
 *   otherwise all vertices within eps of the plane.
 */
#define DVCI_EDGE_SINE DVCI_R(0.005) /* edges closer to parallel than this do not cross: vertices and faces hold them */
#define DVCI_EDGE_LEAN DVCI_R(0.02)   /* how far beyond its range an edge may still be a facet */

typedef struct dvci_couple {
    dvci_step *s;
    const dvci_part *part[2];
    const dvc_shape *shape[2];
    dvc_vec3 d;             /* from the centre of body 0 to that of body 1 */
    dvc_vec3 drift[2];      /* free displacement of the bodies in this step */
    dvc_vec3 spin[2];
    dvc_real size, reach;
    dvc_real sine;          /* edges closer to parallel than this are no facet */
    dvc_real mismatch;      /* per size, by which other corners may stick out beyond a pair of edges: little where bodies end */
    dvc_real cosine;        /* of theta: faces and edges this close to parallel act as one */
    dvc_real feasible;      /* a feature deeper than this in the other part could not carry a force (W 3.3) */
    int group;
    int pair_a, pair_b;     /* the parts' indices */
} dvci_couple;

/* The geometry of a pair, at the start of the step or where its bodies end; without free motion. */
static void dvci_set_couple(dvci_couple *c, dvci_step *s, const dvci_group *g, bool at_end)
{
    const dvci_body *body[2];
    int k;
    c->s = s;
    for (k = 0; k < 2; k++) {
        int part = k ? g->part_b : g->part_a;
        c->part[k] = (at_end ? s->ends : s->parts) + part;
        c->shape[k] = &s->world->shapes[part];
        c->drift[k] = c->spin[k] = dvci_vec(0, 0, 0);
        body[k] = &s->bodies[c->part[k]->body];
    }
    if (at_end) c->d = dvci_sub(body[1]->end.x, body[0]->end.x);
    else c->d = dvci_sub(body[1]->x, body[0]->x);
    c->sine = DVCI_EDGE_SINE;
    c->mismatch = at_end ? DVCI_GAP_CHECK : DVCI_R(1e-3);
    c->size = g->size;
    c->reach = c->feasible = g->reach;
    c->cosine = 1;
    c->group = (int)(g - s->groups);
    c->pair_a = g->part_a;
    c->pair_b = g->part_b;
}

/* A facet before its points are known. */
typedef struct dvci_candidate {
    dvc_real gap;
    int side;      /* 0, 1: face of that part; 2: edges */
    int a, b;      /* face in `a`, or the two edges */
    dvc_vec3 normal; /* edges: from part 0 to part 1 */
    bool taken;    /* absorbed by another facet */
} dvci_candidate;

/* ---- single features ---- */

/* Corner of a box that is lowest along `direction`; of those equally low but for rounding the first. No branches: which way they
 * would go cannot be guessed. */
static int dvci_lowest_corner(const dvci_part *box, dvc_vec3 direction)
{
    const dvc_real flat = (DVCI_DOUBLE ? DVCI_R(1e-28) : DVCI_R(1e-12)) * dvci_dot(direction, direction);
    int corner = 0, k;
    for (k = 0; k < 3; k++) {
        dvc_real rise = dvci_dot(box->normals[2 * k + 1], direction);
        corner |= ((rise < 0) & (rise * rise > flat)) << k;
    }
    return corner;
}

/* The vertex of `part` lowest along `direction`; polytopes descend along their edges, from vertex 0, which ends at the
 * lowest one because they are convex. */
static int dvci_lowest_vertex(const dvci_part *part, dvc_vec3 direction, const dvc_shape *shape, dvc_real *value)
{
    const dvc_polytope *p = part->kind == DVC_POLYTOPE && part->vertex_count > 24 ? shape->polytope : NULL;
    int best = 0, i, k;
    bool moved = p != NULL;
    if (part->vertex_count == 8 && part->kind == DVC_BOX) {
        best = dvci_lowest_corner(part, direction);
        *value = dvci_dot(part->vertices[best], direction);
        return best;
    }
    *value = dvci_dot(part->vertices[0], direction);
    while (moved)
        for (moved = false, i = best, k = p->around_first[i]; k < p->around_first[i + 1]; k++) {
            dvc_real x = dvci_dot(part->vertices[p->around[k]], direction);
            if (x < *value) { *value = x; best = p->around[k]; moved = true; }
        }
    for (i = 1; !p && i < part->vertex_count; i++) {
        dvc_real x = dvci_dot(part->vertices[i], direction);
        if (x < *value) { *value = x; best = i; }
    }
    return best;
}

/* From the centre of the body with the face to the centre of the other. */
static dvc_vec3 dvci_to_other(const dvci_couple *c, int side) { return side == 0 ? c->d : dvci_neg(c->d); }

/* Gap of the plane of a face to what lies so high along its normal, seen from the other body's centre. */
static dvc_real dvci_gap_of_height(const dvci_couple *c, int side, int face, dvc_real height)
{
    const dvci_part *y = c->part[side];
    return height + dvci_dot(dvci_to_other(c, side), y->normals[face]) - y->offsets[face] - c->part[1 - side]->skin;
}

/* Gap of the plane of a face to the whole other part, and its lowest vertex. */
static dvc_real dvci_face_gap(const dvci_couple *c, int side, int face, int *vertex)
{
    const dvci_part *y = c->part[side], *x = c->part[1 - side];
    dvc_real value;
    *vertex = dvci_lowest_vertex(x, y->normals[face], c->shape[1 - side], &value);
    return dvci_gap_of_height(c, side, face, value);
}

/* Gap of one vertex of the other part to the plane of a face. */
static dvc_real dvci_vertex_gap(const dvci_couple *c, int side, int face, int vertex)
{
    return dvci_gap_of_height(c, side, face, dvci_dot(c->part[1 - side]->vertices[vertex], c->part[side]->normals[face]));
}

/* The edge of `part` between two vertices. */
static int dvci_edge_between(const dvci_part *part, int i, int j)
{
    int e;
    for (e = 0; e < part->edge_count; e++)
        if ((part->edges[e].tail == i && part->edges[e].head == j) || (part->edges[e].tail == j && part->edges[e].head == i))
            return e;
    return -1;
}

/* The edge along the k-th side of a face. */
static int dvci_edge_along(const dvci_part *part, int face, int k)
{
    const int *loop;
    int count;
    if (part->kind == DVC_BOX) return dvci_box_sides[4 * face + k];
    count = dvci_face_loop(part, face, &loop);
    return dvci_edge_between(part, loop[k], loop[k + 1 < count ? k + 1 : 0]);
}

/* The outward side of the k-th edge of a face with these corners, of any length, and where it is. An edge of a polygon ends at its
 * two vertices. */
static dvc_vec3 dvci_face_side(const dvci_part *y, int face, const int *loop, int count, int k, dvc_vec3 *at)
{
    dvc_vec3 b = y->vertices[loop[k + 1 < count ? k + 1 : 0]];
    *at = y->vertices[loop[k]];
    return count == 2 ? dvci_sub(*at, b) : dvci_cross(dvci_sub(b, *at), y->normals[face]);
}

/* Is q (relative to the body with the face) over the face? Sides of its outline lean outward by `slack`. */
static bool dvci_over_face(const dvci_part *y, int face, dvc_vec3 q, dvc_real slack)
{
    const int *loop;
    int count, k;
    if (y->kind == DVC_PLANE) return true;
    count = dvci_face_loop(y, face, &loop);
    for (k = 0; k < count; k++) {
        dvc_vec3 at, out = dvci_face_side(y, face, loop, count, k, &at);
        dvc_real beyond = dvci_dot(dvci_sub(q, at), out);
        if (beyond > 0 && beyond * beyond > slack * slack * dvci_dot(out, out)) return false;
    }
    return true;
}

/* The same for many points: a side and how far along it the face goes, for each edge. */
typedef struct dvci_outline {
    int count;
    dvc_vec3 *side;   /* (count) */
    dvc_real *level;  /* (count) */
} dvci_outline;

static bool dvci_outline_of(const dvci_part *y, int face, dvc_real slack, dvci_outline *o, dvci_arena *arena)
{
    const int *loop;
    int k;
    o->count = y->kind == DVC_PLANE ? 0 : dvci_face_loop(y, face, &loop);
    o->side = (dvc_vec3 *)dvci_alloc(arena, (size_t)o->count, sizeof *o->side);
    o->level = dvci_alloc_reals(arena, (size_t)o->count);
    if (arena->failed) return false;
    for (k = 0; k < o->count; k++) {
        dvc_vec3 at;
        if (y->edge_count > 0 && y->kind == DVC_BOX) { /* its faces end at each other */
            const dvc_edge *edge = &y->edges[dvci_box_sides[4 * face + k]];
            int other = edge->face_1 == face ? edge->face_2 : edge->face_1;
            o->side[k] = y->normals[other];
            o->level[k] = y->offsets[other] + slack;
            continue;
        }
        o->side[k] = dvci_face_side(y, face, loop, o->count, k, &at);
        o->level[k] = dvci_dot(o->side[k], at) + slack * dvci_norm(o->side[k]);
    }
    return true;
}

static bool dvci_is_inside(const dvci_outline *o, dvc_vec3 q)
{
    int k;
    for (k = 0; k < o->count; k++)
        if (dvci_dot(o->side[k], q) > o->level[k]) return false;
    return true;
}

/* Displacement of the other part's point r against the body with the face, in free motion. */
static dvc_vec3 dvci_free_shift(const dvci_couple *c, int side, dvc_vec3 r)
{
    dvc_vec3 own = dvci_add(r, dvci_to_other(c, side));
    dvc_vec3 other = dvci_add(c->drift[1 - side], dvci_cross(c->spin[1 - side], r));
    return dvci_sub(other, dvci_add(c->drift[side], dvci_cross(c->spin[side], own)));
}

/* ---- points ---- */

/* Appends a point; `at` is relative to body 0. Counts on when the caller's array is full. */
static dvci_point *dvci_add_point(const dvci_couple *c, dvc_vec3 at, dvc_vec3 normal, dvc_real gap, dvc_feature a, dvc_feature b)
{
    dvci_step *s = c->s;
    dvci_point *point;
    s->points_wanted = dvci_imax(s->points_wanted, s->point_count + s->points_over + 1);
    if (s->point_count >= s->point_limit) {
        s->points_over++;
        return NULL;
    }
    point = &s->points[s->point_count++];
    memset(point, 0, sizeof *point);
    point->group = c->group;
    point->facet = s->facet_count - s->groups[c->group].first;
    point->feature_a = a;
    point->feature_b = b;
    point->normal = normal;
    point->gap = gap;
    point->arm_a = at;
    point->arm_b = dvci_sub(at, c->d);
    return point;
}

/* Where a vertex of the other part touches a face: on the vertex (on the skin of a sphere). Relative to body 0. */
static dvc_vec3 dvci_vertex_place(const dvci_couple *c, int side, int face, int vertex)
{
    const dvci_part *x = c->part[1 - side];
    dvc_vec3 r = dvci_madd(x->vertices[vertex], c->part[side]->normals[face], -x->skin);
    return side == 0 ? dvci_add(r, c->d) : r;
}

/* A vertex of the other part against a face. */
static dvci_point *dvci_add_vertex_point(const dvci_couple *c, int side, int face, int vertex)
{
    dvc_feature on_face = DVC_FEATURE(DVC_FACE, face), on_vertex = DVC_FEATURE(DVC_VERTEX, vertex);
    dvc_vec3 n = c->part[side]->normals[face];
    return dvci_add_point(c, dvci_vertex_place(c, side, face, vertex), side == 0 ? n : dvci_neg(n),
                          dvci_vertex_gap(c, side, face, vertex), side == 0 ? on_face : on_vertex,
                          side == 0 ? on_vertex : on_face);
}

/* Is one of the points from `first` on there already? A second one says nothing new (aligned corners). */
static bool dvci_is_doubled(const dvci_couple *c, int first, dvc_vec3 at)
{
    const dvci_step *s = c->s;
    dvc_real near = (s->world->planar ? DVCI_R(1e-6) : DVCI_R(1e-4)) * c->size;
    int i;
    for (i = first; i < s->point_count; i++) {
        dvc_vec3 apart = dvci_sub(s->points[i].arm_a, at);
        if (dvci_dot(apart, apart) <= near * near) return true;
    }
    return false;
}

/* Closest points of two lines p + s u and q + t v; false if they are nearly parallel. */
static bool dvci_cross_lines(dvc_vec3 p, dvc_vec3 u, dvc_vec3 q, dvc_vec3 v, dvc_real *s, dvc_real *t)
{
    dvc_vec3 r = dvci_sub(p, q);
    dvc_real a = dvci_dot(u, u), b = dvci_dot(u, v), e = dvci_dot(v, v), c = dvci_dot(u, r), f = dvci_dot(v, r),
             d = a * e - b * b;
    if (!(d > DVCI_EDGE_SINE * DVCI_EDGE_SINE * a * e)) return false;
    *s = (b * f - c * e) / d;
    *t = (a * f - b * c) / d;
    return true;
}

static dvc_vec3 dvci_edge_vector(const dvci_part *part, int edge, dvc_vec3 *tail)
{
    *tail = part->vertices[part->edges[edge].tail];
    return dvci_sub(part->vertices[part->edges[edge].head], *tail);
}

/* The contact of two crossing edges, unless one of the points from `first` on is there; `normal` from part 0 to part 1. */
static dvci_point *dvci_add_edge_point(const dvci_couple *c, int edge_a, int edge_b, dvc_vec3 normal, int first)
{
    dvc_vec3 p, q, u = dvci_edge_vector(c->part[0], edge_a, &p), v = dvci_edge_vector(c->part[1], edge_b, &q), on_a, on_b, at;
    dvc_real s, t;
    q = dvci_add(q, c->d);
    if (!dvci_cross_lines(p, u, q, v, &s, &t)) return NULL;
    on_a = dvci_madd(p, u, s);
    on_b = dvci_madd(q, v, t);
    at = dvci_scale(dvci_add(on_a, on_b), DVCI_R(0.5));
    if (dvci_is_doubled(c, first, at)) return NULL;
    return dvci_add_point(c, at, normal, dvci_dot(normal, dvci_sub(on_b, on_a)), DVC_FEATURE(DVC_EDGE, edge_a),
                          DVC_FEATURE(DVC_EDGE, edge_b));
}

/* ---- facets made from faces ---- */

/* The face of the other part that faces `face` within theta, or -1. */
static int dvci_facing_face(const dvci_couple *c, int side, int face)
{
    const dvci_part *x = c->part[1 - side];
    dvc_vec3 n = c->part[side]->normals[face];
    dvc_real least = 0;
    int i, best = -1;
    for (i = 0; i < x->face_count; i++) {
        dvc_real x_dot = dvci_dot(x->normals[i], n);
        if (x_dot < least) { least = x_dot; best = i; }
    }
    return -least >= c->cosine ? best : -1;
}

/* Vertices of the other part that are near the plane and over the face, now or after free motion. */
static int dvci_add_vertices_over(const dvci_couple *c, int side, int face, const dvci_outline *outline, int first)
{
    const dvci_part *x = c->part[1 - side];
    dvc_vec3 n = c->part[side]->normals[face], to_other = dvci_to_other(c, side);
    dvc_real within = c->reach - dvci_gap_of_height(c, side, face, 0);
    int i, added = 0;
    for (i = 0; i < x->vertex_count; i++) {
        dvc_vec3 r = x->vertices[i], q = dvci_add(r, to_other);
        if (dvci_dot(r, n) > within) continue;
        if (!dvci_is_inside(outline, q) && !dvci_is_inside(outline, dvci_add(q, dvci_free_shift(c, side, r)))) continue;
        if (!dvci_is_doubled(c, first, dvci_vertex_place(c, side, face, i))) dvci_add_vertex_point(c, side, face, i);
        added++;
    }
    return added;
}

/* Is all of face g of the other part over the face with this outline? */
static bool dvci_covers(const dvci_couple *c, int side, const dvci_outline *outline, int g)
{
    const dvci_part *x = c->part[1 - side];
    dvc_vec3 to_other = dvci_to_other(c, side);
    const int *loop;
    int i, count = dvci_face_loop(x, g, &loop);
    for (i = 0; i < count; i++)
        if (!dvci_is_inside(outline, dvci_add(x->vertices[loop[i]], to_other))) return false;
    return true;
}

/* Does the edge u from the origin cross the edge v from r, seen along n? Then `across` is the normal of both on n's side. Edges
 * that are nearly parallel, or whose normal is not near n, do not. */
static bool dvci_crosses(const dvci_couple *c, dvc_vec3 n, dvc_vec3 u, dvc_vec3 r, dvc_vec3 v, dvc_vec3 *across)
{
    dvc_vec3 normal = dvci_cross(u, v);
    dvc_real det = dvci_dot(normal, n), s = dvci_dot(dvci_cross(r, v), n), t = dvci_dot(dvci_cross(r, u), n), square;
    if (det < 0) { normal = dvci_neg(normal); det = -det; s = -s; t = -t; }
    if (s < 0 || s > det || t < 0 || t > det) return false;
    square = dvci_dot(normal, normal);
    if (det * det < c->cosine * c->cosine * square
        || square <= DVCI_EDGE_SINE * DVCI_EDGE_SINE * dvci_dot(u, u) * dvci_dot(v, v))
        return false;
    *across = dvci_unit(normal);
    return true;
}

/* Crossings of the outlines of face f (part `side`) and face g (the other), seen along f's normal. */
static int dvci_add_crossings(const dvci_couple *c, int side, int f, int g, int first)
{
    const dvci_part *y = c->part[side], *x = c->part[1 - side];
    const int *loop_y, *loop_x;
    int count_y = dvci_face_loop(y, f, &loop_y), count_x = dvci_face_loop(x, g, &loop_x), i, k, added = 0;
    dvc_vec3 across, n = y->normals[f], to_other = dvci_to_other(c, side);
    for (i = 0; i < count_y; i++) {
        int y1 = loop_y[i], y2 = loop_y[i + 1 < count_y ? i + 1 : 0];
        dvc_vec3 p = dvci_sub(y->vertices[y1], to_other), u = dvci_sub(y->vertices[y2], y->vertices[y1]), un = dvci_cross(n, u);
        dvc_real here = dvci_dot(dvci_sub(x->vertices[loop_x[0]], p), un), next;
        for (k = 0; k < count_x; k++, here = next) { /* heights of x's vertices beyond y's edge change their sign at a crossing */
            int x1 = loop_x[k], x2 = loop_x[k + 1 < count_x ? k + 1 : 0];
            next = dvci_dot(dvci_sub(x->vertices[x2], p), un);
            if ((here < 0 && next < 0) || (here > 0 && next > 0)) continue;
            if (!dvci_crosses(c, n, u, dvci_sub(x->vertices[x1], p), dvci_sub(x->vertices[x2], x->vertices[x1]), &across)) continue;
            if (side == 1) across = dvci_neg(across);
            y1 = dvci_edge_along(y, f, i);
            x1 = dvci_edge_along(x, g, k);
            dvci_add_edge_point(c, side == 0 ? y1 : x1, side == 0 ? x1 : y1, across, first);
            added++;
        }
    }
    return added;
}

#define DVCI_LYING DVCI_R(0.25) /* an edge lies on a face within such a part of theta */

/* The edge at the other part's lowest vertex that lies on the face, or -1. */
static int dvci_lying_edge(const dvci_couple *c, int side, int face)
{
    const dvci_part *x = c->part[1 - side];
    dvc_vec3 n = c->part[side]->normals[face], tail;
    dvc_real least = (1 - c->cosine * c->cosine) * DVCI_LYING * DVCI_LYING;
    int lowest, e, best = -1;
    dvci_face_gap(c, side, face, &lowest);
    for (e = 0; e < x->edge_count; e++) {
        dvc_vec3 u;
        dvc_real up;
        if (x->edges[e].tail != lowest && x->edges[e].head != lowest) continue;
        u = dvci_edge_vector(x, e, &tail);
        up = dvci_dot(u, n);
        up = up * up / dvci_dot(u, u);
        if (up <= least) { least = up; best = e; }
    }
    return best;
}

/* Where an edge of the other part that lies on face f leaves it. */
static int dvci_add_exits(const dvci_couple *c, int side, int f, int edge, int first)
{
    const dvci_part *y = c->part[side];
    const int *loop;
    int count = dvci_face_loop(y, f, &loop), i, added = 0;
    dvc_vec3 n = y->normals[f], to_other = dvci_to_other(c, side), tail, across;
    dvc_vec3 v = dvci_edge_vector(c->part[1 - side], edge, &tail);
    for (i = 0; i < count; i++) {
        dvc_vec3 p = dvci_sub(y->vertices[loop[i]], to_other);
        dvc_vec3 u = dvci_sub(y->vertices[loop[i + 1 < count ? i + 1 : 0]], y->vertices[loop[i]]);
        int own = dvci_edge_along(y, f, i);
        if (!dvci_crosses(c, n, u, dvci_sub(tail, p), v, &across)) continue;
        dvci_add_edge_point(c, side == 0 ? own : edge, side == 0 ? edge : own, side == 0 ? across : dvci_neg(across), first);
        added++;
    }
    return added;
}

/* An edge that lies on the face: its ends that are over the face, and where it leaves it. False: there is none, or it is beside, or
 * these points do not show how deep it is. */
static bool dvci_add_lying(const dvci_couple *c, int side, int face)
{
    dvci_arena *arena = &c->s->arena;
    size_t mark = arena->used;
    dvc_real slack = (DVCI_DOUBLE ? DVCI_R(1e-9) : DVCI_R(1e-5)) * c->size;
    dvci_outline outline;
    dvc_real least = DVC_INFINITY;
    int edge = dvci_lying_edge(c, side, face), first = c->s->point_count, added = 0, lowest, k;
    if (edge < 0 || c->part[side]->edge_count == 0 || !dvci_outline_of(c->part[side], face, slack, &outline, arena)) return false;
    added = dvci_add_vertices_over(c, side, face, &outline, first);
    if (added < 2) added += dvci_add_exits(c, side, face, edge, first);
    arena->used = mark;
    for (k = first; k < c->s->point_count; k++) least = dvci_min(least, c->s->points[k].gap);
    return added > 1 && least <= dvci_face_gap(c, side, face, &lowest) + c->mismatch * c->size / 2;
}

/* Whatever of the other part is within reach of the plane, and its lowest vertex in any case. */
static void dvci_add_vertices_near(const dvci_couple *c, int side, int face)
{
    const dvci_part *x = c->part[1 - side];
    dvc_vec3 n = c->part[side]->normals[face];
    dvc_real within = c->reach - dvci_gap_of_height(c, side, face, 0);
    int lowest, i;
    dvci_face_gap(c, side, face, &lowest);
    for (i = 0; i < x->vertex_count; i++)
        if (i == lowest || dvci_dot(x->vertices[i], n) <= within) dvci_add_vertex_point(c, side, face, i);
}

/* Opens a facet; its points follow. */
static dvci_facet *dvci_open_facet(const dvci_couple *c, dvc_real gap)
{
    dvci_step *s = c->s;
    dvci_facet *facet = &s->facets[s->facet_count];
    DVC_ASSERT(s->facet_count < 2 * s->world->contact_capacity + 2);
    memset(facet, 0, sizeof *facet);
    facet->first = s->point_count;
    facet->gap = gap;
    facet->face_a = facet->face_b = -1;
    return facet;
}

static void dvci_close_facet(const dvci_couple *c, dvci_facet *facet)
{
    dvci_step *s = c->s;
    facet->count = s->point_count - facet->first;
    if (facet->count == 0) return;
    s->facet_count++;
    s->groups[c->group].count++;
}

static dvc_vec3 dvci_candidate_normal(const dvci_couple *c, const dvci_candidate *k)
{
    return k->side == 2 ? k->normal : k->side == 0 ? c->part[0]->normals[k->a] : dvci_neg(c->part[1]->normals[k->a]);
}

/* A flush facet takes in the facing face and the edge pairs whose normals are within theta of its own. */
static void dvci_absorb(const dvci_couple *c, dvci_facet *facet, const dvci_candidate *face, int facing, dvci_candidate *list,
                        int count)
{
    dvc_vec3 n = dvci_candidate_normal(c, face);
    int i;
    for (i = 0; i < count; i++) {
        dvci_candidate *k = &list[i];
        if (k->taken) continue;
        if (k->side == 1 - face->side && k->a == facing) {
            k->taken = true;
            facet->gap = dvci_max(facet->gap, k->gap);
        } else if (k->side == 2 && dvci_dot(n, k->normal) >= c->cosine) {
            k->taken = true;
            facet->gap = dvci_max(facet->gap, k->gap);
            if (facet->edge_count >= 4) continue;
            facet->edge_a[facet->edge_count] = k->a;
            facet->edge_b[facet->edge_count++] = k->b;
        }
    }
    if (face->side == 0) facet->face_b = facing;
    else facet->face_a = facing;
}

/* The corners of the common polygon of face f (part `side`) and face g (the other). Returns how many there are beside corners of
 * g; if one face covers the other, outlines do not cross. */
static int dvci_add_common(const dvci_couple *c, int side, int f, int g)
{
    dvci_arena *arena = &c->s->arena;
    size_t mark = arena->used;
    dvc_real slack = (DVCI_DOUBLE ? DVCI_R(1e-9) : DVCI_R(1e-5)) * c->size;
    dvci_outline of_f, of_g;
    int first = c->s->point_count, others;
    if (!dvci_outline_of(c->part[side], f, slack, &of_f, arena)) return 0;
    if (!dvci_outline_of(c->part[1 - side], g, slack, &of_g, arena)) return 0;
    dvci_add_vertices_over(c, side, f, &of_f, first);
    others = dvci_add_vertices_over(c, 1 - side, g, &of_g, first);
    if (c->part[0]->edge_count > 0 && c->part[1]->edge_count > 0
        && !(others > 0 && (dvci_covers(c, side, &of_f, g) || dvci_covers(c, 1 - side, &of_g, f))))
        others += dvci_add_crossings(c, side, f, g, first);
    arena->used = mark;
    return others;
}

static void dvci_make_face_facet(const dvci_couple *c, dvci_candidate *face, dvci_candidate *list, int count)
{
    dvci_facet *facet = dvci_open_facet(c, face->gap);
    int facing, others = 0, first = c->s->point_count;
    face->taken = true;
    if (face->side == 0) facet->face_a = face->a;
    else facet->face_b = face->a;
    facing = dvci_facing_face(c, face->side, face->a);
    if (facing >= 0) others = dvci_add_common(c, face->side, face->a, facing);
    facet->flush = others > 0;
    if (!facet->flush) c->s->point_count = first;
    if (!facet->flush && c->s->world->contact_model == DVC_PEG) facet->flush = dvci_add_lying(c, face->side, face->a);
    if (facet->flush) {
        dvci_absorb(c, facet, face, facing, list, count);
    } else { /* not flush: the plane rule */
        c->s->point_count = first;
        dvci_add_vertices_near(c, face->side, face->a);
    }
    dvci_close_facet(c, facet);
}

static void dvci_make_edge_facet(const dvci_couple *c, dvci_candidate *k)
{
    dvci_facet *facet = dvci_open_facet(c, k->gap);
    k->taken = true;
    facet->edge_count = 1;
    facet->edge_a[0] = k->a;
    facet->edge_b[0] = k->b;
    dvci_add_edge_point(c, k->a, k->b, k->normal, c->s->point_count);
    dvci_close_facet(c, facet);
}

/* ---- closest points of a pair (Gilbert, Johnson and Keerthi) ---- */
#define DVCI_CLOSEST_ROUND (DVCI_DOUBLE ? DVCI_R(2e-15) : DVCI_R(1e-6)) /* rounding, per size */
#define DVCI_CLOSEST_ROUNDS 256

/* A corner of the difference body. */
typedef struct dvci_corner {
    int vertex[2];
    dvc_vec3 at;
    dvc_real weight;
} dvci_corner;

/* Up to four of them, and the point of their simplex closest to the origin. */
typedef struct dvci_simplex {
    int count;
    dvci_corner corners[4];
    dvc_vec3 closest;
    dvc_real square;
} dvci_simplex;

/* Takes the simplex of up to three corners of `all` if it has the point closest to the origin inside, and that is closer.
 * Products of edges keep thin triangles accurate. */
static void dvci_try_simplex(const dvci_corner *all, int mask, dvci_simplex *best)
{
    dvci_simplex s;
    dvc_vec3 p, u, v, n;
    dvc_real weight[3] = { 1, 0, 0 }, square = 1;
    int i;
    for (s.count = i = 0; i < 4; i++)
        if (mask >> i & 1) s.corners[s.count++] = all[i];
    s.closest = p = s.corners[0].at;
    if (s.count > 1) {
        u = dvci_sub(s.corners[1].at, p);
        square = dvci_dot(u, u);
        weight[1] = -dvci_dot(p, u) / square;
        s.closest = dvci_madd(p, u, weight[1]);
    }
    if (s.count > 2) {
        v = dvci_sub(s.corners[2].at, p);
        n = dvci_cross(u, v);
        square = dvci_dot(n, n);
        weight[1] = dvci_dot(dvci_cross(v, p), n) / square;
        weight[2] = dvci_dot(dvci_cross(p, u), n) / square;
        s.closest = dvci_scale(n, dvci_dot(n, p) / square);
    }
    weight[0] -= weight[1] + weight[2];
    s.square = dvci_dot(s.closest, s.closest);
    if (!(square > 0 && s.square < best->square)) return;
    for (i = 0; i < s.count; i++) {
        s.corners[i].weight = weight[i];
        if (!(weight[i] > 0)) return;
    }
    *best = s;
}

/* Is the origin inside the tetrahedron: for each face on the same side as the fourth corner? */
static bool dvci_holds_origin(const dvci_corner *all)
{
    int i;
    for (i = 0; i < 4; i++) {
        dvc_vec3 p = all[(i + 1) % 4].at, n;
        n = dvci_cross(dvci_sub(all[(i + 2) % 4].at, p), dvci_sub(all[(i + 3) % 4].at, p));
        if (!(dvci_dot(n, dvci_sub(all[i].at, p)) * -dvci_dot(n, p) > 0)) return false;
    }
    return true;
}

/* The smallest part of the simplex that has its closest point; it has the newest corner, or else nothing is closer. */
static void dvci_reduce_simplex(dvci_simplex *s)
{
    dvci_corner all[4];
    int count = s->count, mask;
    memcpy(all, s->corners, sizeof all);
    s->square = DVC_INFINITY;
    for (mask = 1 << (count - 1); mask < 1 << count && mask < 15; mask++) dvci_try_simplex(all, mask, s);
    if (count < 4 || !dvci_holds_origin(all)) return;
    memcpy(s->corners, all, sizeof all);
    s->count = 4;
    s->closest = dvci_vec(0, 0, 0);
    s->square = 0;
}

static void dvci_add_corner(const dvci_couple *c, dvc_vec3 direction, dvci_simplex *s)
{
    dvci_corner *corner = &s->corners[s->count++];
    dvc_real value;
    corner->vertex[0] = dvci_lowest_vertex(c->part[0], dvci_neg(direction), c->shape[0], &value);
    corner->vertex[1] = dvci_lowest_vertex(c->part[1], direction, c->shape[1], &value);
    corner->at = dvci_sub(dvci_add(c->part[1]->vertices[corner->vertex[1]], c->d), c->part[0]->vertices[corner->vertex[0]]);
    corner->weight = 1;
}

/* The parts without their skins; both have vertices. Ends where no corner is farther toward the origin, or where rounding lets
 * it come no closer. */
static void dvci_closest_cores(const dvci_couple *c, dvci_simplex *s)
{
    int round;
    memset(s, 0, sizeof *s);
    s->closest = dvci_sub(dvci_add(c->d, c->part[1]->centre), c->part[0]->centre);
    s->square = DVC_INFINITY;
    for (round = 0; round < DVCI_CLOSEST_ROUNDS && s->count < 4 && s->square > 0; round++) {
        dvci_simplex next = *s;
        dvci_add_corner(c, s->closest, &next);
        if (s->count > 0) {
            dvc_real distance = dvci_sqrt(s->square), lower = dvci_dot(s->closest, next.corners[s->count].at);
            if (s->square - lower <= DVCI_CLOSEST_ROUND * distance * (c->size + distance)) return;
        }
        dvci_reduce_simplex(&next);
        if (!(next.square < s->square)) return;
        *s = next;
    }
}

/* Are the parts farther apart than `far`? Ends as soon as a plane between them tells, or a point of the difference body that is near. */
static bool dvci_is_beyond(const dvci_couple *c, dvc_real far)
{
    dvci_simplex s;
    int round;
    memset(&s, 0, sizeof s);
    s.closest = dvci_sub(dvci_add(c->d, c->part[1]->centre), c->part[0]->centre);
    s.square = DVC_INFINITY;
    for (round = 0; round < DVCI_CLOSEST_ROUNDS && s.count < 4 && s.square > far * far; round++) {
        dvci_simplex next = s;
        dvc_real lower;
        dvci_add_corner(c, s.closest, &next);
        lower = dvci_dot(s.closest, next.corners[s.count].at);
        if (lower > far * dvci_norm(s.closest)) return true;
        dvci_reduce_simplex(&next);
        if (!(next.square < s.square)) break; /* rounding lets it come no closer */
        s = next;
    }
    return s.square > far * far;
}

/* ---- which facets can matter ---- */

static int dvci_note_candidate(dvci_candidate *list, int count, dvc_real gap, int side, int a, int b, dvc_vec3 normal)
{
    dvci_candidate *k = &list[count];
    k->gap = gap;
    k->side = side;
    k->a = a;
    k->b = b;
    k->normal = normal;
    k->taken = false;
    return count + 1;
}

/* How high above its faces a part has the middle of the other part: above the faces' gaps. Returns the highest. */
static int dvci_face_heights(const dvci_couple *c, int side, dvc_real *heights)
{
    const dvci_part *y = c->part[side];
    dvc_vec3 middle = dvci_add(c->part[1 - side]->middle, dvci_to_other(c, side));
    int face, top = 0;
    for (face = 0; face < y->face_count; face++) {
        heights[face] = dvci_dot(y->normals[face], middle) - y->offsets[face];
        if (heights[face] > heights[top]) top = face;
    }
    return top;
}

/* Faces of one side that may be within 2 eps of the largest, beginning with the highest, `top`. The middle and a vertex that was
 * lowest before bound the gap from above. False: the pair is farther apart than eps. */
static bool dvci_face_candidates(const dvci_couple *c, int side, const dvc_real *heights, int top, dvci_candidate *list,
                                 int *count, dvc_real *best)
{
    const dvci_part *y = c->part[side];
    int k, vertex = 0;
    for (k = 0; k < y->face_count; k++) {
        int face = k == 0 ? top : k <= top ? k - 1 : k;
        dvc_real gap;
        if (heights[face] < *best - 2 * c->reach || dvci_vertex_gap(c, side, face, vertex) < *best - 2 * c->reach) continue;
        gap = dvci_face_gap(c, side, face, &vertex);
        if (gap > c->reach) return false;
        *best = dvci_max(*best, gap);
        if (gap >= *best - 2 * c->reach) *count = dvci_note_candidate(list, *count, gap, side, face, -1, y->normals[face]);
    }
    return true;
}

/* An edge with what its part allows of normals there. */
typedef struct dvci_arc {
    int edge;
    dvc_vec3 tail, along;
    dvc_vec3 out_1, out_2; /* a normal that supports the edge has no product > 0 with either: both faces fall away */
    dvc_real square;       /* of the length */
} dvci_arc;

static void dvci_set_arc(dvci_arc *arc, const dvci_part *part, int edge)
{
    arc->edge = edge;
    arc->along = dvci_edge_vector(part, edge, &arc->tail);
    arc->out_1 = dvci_cross(part->normals[part->edges[edge].face_1], arc->along);
    arc->out_2 = dvci_cross(arc->along, part->normals[part->edges[edge].face_2]);
    arc->square = dvci_dot(arc->along, arc->along);
}

/* W 3.5, relaxed by `slack` per unit of edge and normal: which of n and -n (pointing away from its part) supports it? */
static void dvci_arc_supports(const dvci_arc *arc, dvc_vec3 n, dvc_real square, dvc_real slack, bool *plus, bool *minus)
{
    dvc_real x = dvci_dot(arc->out_1, n), y = dvci_dot(arc->out_2, n), high = dvci_max(x, y), low = dvci_min(x, y);
    dvc_real bound = slack * slack * arc->square * square;
    *plus = high <= 0 || high * high <= bound;
    *minus = low >= 0 || low * low <= bound;
}

/* The sign with which n, of this square, points from a to b and supports both; 0: with neither. */
static int dvci_arcs_sign(const dvci_arc *a, const dvci_arc *b, dvc_vec3 n, dvc_real square, dvc_real slack)
{
    bool a_plus, a_minus, b_plus, b_minus;
    dvci_arc_supports(a, n, square, slack, &a_plus, &a_minus);
    if (!a_plus && !a_minus) return 0;
    dvci_arc_supports(b, n, square, slack, &b_plus, &b_minus);
    return a_plus && b_minus ? 1 : a_minus && b_plus ? -1 : 0;
}

/* Edges of a part that come within `reach` of the other part's box, and may leave a gap of `least`: those whose faces both have
 * the other's middle so far behind them that no normal between them leaves as much do not. */
static int dvci_edges_near(const dvci_couple *c, int side, const dvc_real *heights, dvc_real least, dvc_real reach, dvci_arc *list)
{
    const dvci_part *x = c->part[side], *y = c->part[1 - side];
    dvc_vec3 shift = dvci_to_other(c, side), margin = dvci_vec(reach, reach, reach);
    dvc_vec3 low = dvci_sub(dvci_add(y->low, shift), margin), high = dvci_add(dvci_add(y->high, shift), margin);
    dvc_real far = dvci_norm(dvci_sub(dvci_add(y->middle, shift), x->middle)) + 2 * x->size;
    dvc_real behind = dvci_min(0, least) - DVCI_R(1.5) * DVCI_EDGE_LEAN * far;
    int e, count = 0;
    for (e = 0; e < x->edge_count; e++) {
        const dvc_edge *edge = &x->edges[e];
        dvc_vec3 p, q;
        if (heights[edge->face_1] < behind && heights[edge->face_2] < behind) continue;
        p = x->vertices[edge->tail];
        q = x->vertices[edge->head];
        if (dvci_max(p.x, q.x) < low.x || dvci_min(p.x, q.x) > high.x || dvci_max(p.y, q.y) < low.y || dvci_min(p.y, q.y) > high.y
            || dvci_max(p.z, q.z) < low.z || dvci_min(p.z, q.z) > high.z) continue;
        dvci_set_arc(&list[count++], x, e);
    }
    return count;
}

/* A pair of edges is a facet if its normal supports both parts there, and the parts' extents along it confirm the gap
 * between the lines; false ones would hide real overlap. */
static bool dvci_arc_pair(const dvci_couple *c, const dvci_arc *a, const dvci_arc *b, dvc_vec3 *normal, dvc_real *gap)
{
    dvc_vec3 n = dvci_cross(a->along, b->along);
    dvc_real square = dvci_dot(n, n), low, high, lines, extents;
    int sign;
    if (!(square > c->sine * c->sine * a->square * b->square)) return false;
    sign = dvci_arcs_sign(a, b, n, square, DVCI_EDGE_LEAN);
    if (sign == 0) return false;
    n = dvci_scale(n, (dvc_real)sign / dvci_sqrt(square));
    *normal = n;
    dvci_lowest_vertex(c->part[1], n, c->shape[1], &low);
    dvci_lowest_vertex(c->part[0], dvci_neg(n), c->shape[0], &high);
    lines = dvci_dot(n, dvci_sub(dvci_add(b->tail, c->d), a->tail));
    extents = low + dvci_dot(n, c->d) + high;
    *gap = dvci_min(lines, extents);
    return dvci_abs(lines - extents) <= c->mismatch * c->size;
}

static bool dvci_edge_pair(const dvci_couple *c, int edge_a, int edge_b, dvc_vec3 *normal, dvc_real *gap)
{
    dvci_arc a, b;
    dvci_set_arc(&a, c->part[0], edge_a);
    dvci_set_arc(&b, c->part[1], edge_b);
    return dvci_arc_pair(c, &a, &b, normal, gap);
}

static bool dvci_edge_candidates(const dvci_couple *c, dvci_candidate *list, int *count, int capacity, dvc_real *best,
                                 const dvci_arc *edges_a, int count_a, const dvci_arc *edges_b, int count_b)
{
    int i, k;
    for (i = 0; i < count_a; i++)
        for (k = 0; k < count_b; k++) {
            dvc_vec3 normal;
            dvc_real gap;
            if (!dvci_arc_pair(c, &edges_a[i], &edges_b[k], &normal, &gap) || gap < *best - 2 * c->reach) continue;
            if (gap > c->reach) return false;
            *best = dvci_max(*best, gap);
            if (*count < capacity) *count = dvci_note_candidate(list, *count, gap, 2, edges_a[i].edge, edges_b[k].edge, normal);
        }
    return true;
}

/* Falling gaps; equal ones in the order found. */
static void dvci_sort_candidates(dvci_candidate *list, int count)
{
    int i, k;
    for (i = 1; i < count; i++) {
        dvci_candidate keep = list[i];
        for (k = i; k > 0 && list[k - 1].gap < keep.gap; k--) list[k] = list[k - 1];
        list[k] = keep;
    }
}

/* Is the corner that is lowest over the best face above that face, not beside it? Then it is as near as that face's gap says. */
static bool dvci_is_over_best(const dvci_couple *c, const dvci_candidate *faces, int count, dvc_real best)
{
    int i, vertex;
    for (i = 0; i < count; i++) {
        const dvci_part *x = c->part[1 - faces[i].side];
        if (faces[i].gap < best) continue;
        dvci_face_gap(c, faces[i].side, faces[i].a, &vertex);
        return dvci_over_face(c->part[faces[i].side], faces[i].a, dvci_add(x->vertices[vertex], dvci_to_other(c, faces[i].side)), 0);
    }
    return false;
}

/* Faces, then pairs of edges; returns how many there are, 0 if the pair is not near: that is decided before facets are left out, for
 * the list is complete only for what is near. What proves a gap at the step's end may be three times as far at its start; a pair that
 * moves by more than its size has no use for it. Room is left in the arena. */
static int dvci_list_candidates(const dvci_couple *c, dvci_candidate **list, dvc_real *best)
{
    dvci_arena *arena = &c->s->arena;
    const dvci_part *a = c->part[0], *b = c->part[1];
    int count = 0, count_a, count_b, capacity = a->face_count + b->face_count;
    dvci_candidate *faces = (dvci_candidate *)dvci_alloc(arena, (size_t)capacity, sizeof *faces);
    dvci_arc *edges_a = (dvci_arc *)dvci_alloc(arena, (size_t)a->edge_count, sizeof *edges_a);
    dvci_arc *edges_b = (dvci_arc *)dvci_alloc(arena, (size_t)b->edge_count, sizeof *edges_b);
    dvc_real *heights_a = dvci_alloc_reals(arena, (size_t)a->face_count);
    dvc_real *heights_b = dvci_alloc_reals(arena, (size_t)b->face_count), reach;
    *list = faces;
    *best = -DVC_INFINITY;
    if (arena->failed) return 0;
    if (!dvci_face_candidates(c, 0, heights_a, dvci_face_heights(c, 0, heights_a), faces, &count, best)) return 0;
    if (!dvci_face_candidates(c, 1, heights_b, dvci_face_heights(c, 1, heights_b), faces, &count, best)) return 0;
    if (a->edge_count == 0 || b->edge_count == 0) return count;
    if (!dvci_is_over_best(c, faces, count, *best) && dvci_is_beyond(c, c->reach)) return 0;
    reach = c->reach <= c->size ? 3 * c->reach : c->reach;
    count_a = dvci_edges_near(c, 0, heights_a, *best - 2 * c->reach, reach, edges_a);
    count_b = count_a > 0 ? dvci_edges_near(c, 1, heights_b, *best - 2 * c->reach, reach, edges_b) : 0;
    if (count_b == 0) return count;
    capacity += count_a * count_b;
    *list = (dvci_candidate *)dvci_alloc(arena, (size_t)capacity, sizeof **list);
    if (arena->failed) return 0;
    memcpy(*list, faces, (size_t)count * sizeof *faces);
    return dvci_edge_candidates(c, *list, &count, capacity, best, edges_a, count_a, edges_b, count_b) ? count : 0;
}

/* Polytopes, boxes, polygons against each other. */
static void dvci_pair_polytopes(const dvci_couple *c)
{
    size_t mark = c->s->arena.used;
    dvci_candidate *list;
    dvc_real best;
    int i, count = dvci_list_candidates(c, &list, &best);
    dvci_sort_candidates(list, count);
    while (count > 0 && list[count - 1].gap < best - 2 * c->reach) count--;
    for (i = 0; i < count; i++)
        if (list[i].side < 2 && !list[i].taken) dvci_make_face_facet(c, &list[i], list, count);
    for (i = 0; i < count; i++)
        if (list[i].side == 2 && !list[i].taken) dvci_make_edge_facet(c, &list[i]);
    c->s->arena.used = mark;
}

/* ---- half-spaces and spheres ---- */

/* Part `side` is a half-space: one facet, exact. */
static void dvci_pair_plane(const dvci_couple *c, int side)
{
    dvci_facet *facet;
    int lowest;
    dvc_real gap = dvci_face_gap(c, side, 0, &lowest);
    if (gap > c->reach) return;
    facet = dvci_open_facet(c, gap);
    if (side == 0) facet->face_a = 0;
    else facet->face_b = 0;
    dvci_add_vertices_near(c, side, 0);
    dvci_close_facet(c, facet);
}

/* Gap and normal (from 0 to 1) between a point of part 0 and one of part 1, both relative to body 0, with their skins. */
static dvc_real dvci_round_gap(const dvci_couple *c, dvc_vec3 p, dvc_vec3 q, dvc_vec3 fallback, dvc_vec3 *normal)
{
    dvc_vec3 d = dvci_sub(q, p);
    dvc_real distance = dvci_norm(d);
    *normal = distance > DVCI_R(1e-12) * c->size ? dvci_scale(d, 1 / distance) : fallback;
    return distance - c->part[0]->skin - c->part[1]->skin;
}

/* The places of two features on their parts, relative to body 0: vertices, or the points of an edge next to a vertex. */
static void dvci_feature_places(const dvci_couple *c, dvc_feature a, dvc_feature b, dvc_vec3 *p, dvc_vec3 *q)
{
    dvc_vec3 tail, e;
    *p = c->part[0]->vertices[DVC_FEATURE_KIND(a) == DVC_VERTEX ? DVC_FEATURE_INDEX(a) : 0];
    *q = dvci_add(c->part[1]->vertices[DVC_FEATURE_KIND(b) == DVC_VERTEX ? DVC_FEATURE_INDEX(b) : 0], c->d);
    if (DVC_FEATURE_KIND(a) == DVC_EDGE) {
        e = dvci_edge_vector(c->part[0], DVC_FEATURE_INDEX(a), &tail);
        *p = dvci_madd(tail, e, dvci_dot(dvci_sub(*q, tail), e) / dvci_dot(e, e));
    } else if (DVC_FEATURE_KIND(b) == DVC_EDGE) {
        e = dvci_edge_vector(c->part[1], DVC_FEATURE_INDEX(b), &tail);
        tail = dvci_add(tail, c->d);
        *q = dvci_madd(tail, e, dvci_dot(dvci_sub(*p, tail), e) / dvci_dot(e, e));
    }
}

/* The contact of rounded features; its normal depends on where the parts are. */
static dvci_point *dvci_add_round_point(const dvci_couple *c, dvc_feature a, dvc_feature b)
{
    dvc_vec3 p, q, normal, fallback = dvci_unit(dvci_sub(dvci_add(c->d, c->part[1]->centre), c->part[0]->centre));
    dvc_real gap;
    dvci_feature_places(c, a, b, &p, &q);
    gap = dvci_round_gap(c, p, q, dvci_zero_vec(fallback) ? dvci_vec(0, 1, 0) : fallback, &normal);
    return dvci_add_point(c, dvci_madd(p, normal, c->part[0]->skin + gap / 2), normal, gap, a, b);
}

static void dvci_make_round_facet(const dvci_couple *c, dvc_feature a, dvc_feature b)
{
    dvci_facet *facet = dvci_open_facet(c, 0);
    dvci_point *point;
    facet->single = true;
    point = dvci_add_round_point(c, a, b);
    if (point) facet->gap = point->gap;
    dvci_close_facet(c, facet);
}

static void dvci_pair_spheres(const dvci_couple *c)
{
    dvc_vec3 normal, p = c->part[0]->vertices[0], q = dvci_add(c->d, c->part[1]->vertices[0]);
    if (dvci_round_gap(c, p, q, dvci_vec(0, 1, 0), &normal) > c->reach) return;
    dvci_make_round_facet(c, DVC_FEATURE(DVC_VERTEX, 0), DVC_FEATURE(DVC_VERTEX, 0));
}

/* The point of the segment a b closest to p, as a fraction. W Alg. 3 as in the errata. */
static dvc_real dvci_closest_on_segment(dvc_vec3 a, dvc_vec3 b, dvc_vec3 p)
{
    dvc_vec3 e = dvci_sub(b, a);
    return dvci_clamp(dvci_dot(dvci_sub(p, a), e) / dvci_dot(e, e), 0, 1);
}

/* The feature of part y closest to the point q outside it (relative to y's body), and the closest point on it. */
static dvc_feature dvci_closest_feature(const dvci_part *y, dvc_vec3 q, dvc_vec3 *closest)
{
    dvc_feature best = DVC_FEATURE(DVC_FACE, 0);
    dvc_real least = DVC_INFINITY;
    int face, k;
    for (face = 0; face < y->face_count; face++) {
        dvc_real height = dvci_dot(y->normals[face], q) - y->offsets[face];
        const int *loop;
        int count = dvci_face_loop(y, face, &loop);
        if (!(height > 0)) continue;
        if (height < least && dvci_over_face(y, face, q, 0)) {
            least = height;
            best = DVC_FEATURE(DVC_FACE, face);
            *closest = dvci_madd(q, y->normals[face], -height);
        }
        for (k = 0; k < (count == 2 ? 1 : count); k++) {
            int i = loop[k], j = loop[k + 1 < count ? k + 1 : 0];
            dvc_real t = dvci_closest_on_segment(y->vertices[i], y->vertices[j], q);
            dvc_vec3 p = dvci_madd(y->vertices[i], dvci_sub(y->vertices[j], y->vertices[i]), t);
            dvc_real distance = dvci_norm(dvci_sub(q, p));
            if (!(distance < least) || (count == 2 && t > 0 && t < 1)) continue;
            least = distance;
            best = t > 0 && t < 1 ? DVC_FEATURE(DVC_EDGE, dvci_edge_between(y, i, j)) : DVC_FEATURE(DVC_VERTEX, t > 0 ? j : i);
            *closest = p;
        }
    }
    return best;
}

/* Faces as for polytopes, and the rounded feature next to the centre now and after free motion. */
static void dvci_pair_sphere_polytope(const dvci_couple *c, int side)
{
    dvci_arena *arena = &c->s->arena;
    const dvci_part *y = c->part[side], *x = c->part[1 - side];
    size_t mark = arena->used;
    dvci_candidate *list = (dvci_candidate *)dvci_alloc(arena, (size_t)y->face_count, sizeof *list);
    dvc_real *heights = dvci_alloc_reals(arena, (size_t)y->face_count);
    int count = 0, i, moment;
    dvc_real best = -DVC_INFINITY;
    dvc_vec3 q = dvci_add(x->vertices[0], dvci_to_other(c, side)), closest;
    dvc_feature feature, before = DVC_FEATURE(DVC_FACE, 0);
    if (!arena->failed
        && dvci_face_candidates(c, side, heights, dvci_face_heights(c, side, heights), list, &count, &best)) {
        dvci_sort_candidates(list, count);
        while (count > 0 && list[count - 1].gap < best - 2 * c->reach) count--;
        for (moment = 0; x->skin > 0 && moment < 2; moment++) {
            closest = dvci_vec(0, 0, 0);
            feature = dvci_closest_feature(y, moment ? dvci_add(q, dvci_free_shift(c, side, x->vertices[0])) : q, &closest);
            if (DVC_FEATURE_KIND(feature) == DVC_FACE || (moment && feature == before)) continue;
            if (!moment && dvci_norm(dvci_sub(q, closest)) - x->skin > c->reach) { arena->used = mark; return; }
            before = feature;
            if (side == 0) dvci_make_round_facet(c, feature, DVC_FEATURE(DVC_VERTEX, 0));
            else dvci_make_round_facet(c, DVC_FEATURE(DVC_VERTEX, 0), feature);
        }
        for (i = 0; i < count; i++) dvci_make_face_facet(c, &list[i], list, count);
    }
    arena->used = mark;
}

/* ---- the axis along which two parts are apart, or least deep ---- */

/* Extent of the gap between the parts along n (from 0 to 1): what a separating plane with that normal would have. */
static dvc_real dvci_gap_along(const dvci_couple *c, dvc_vec3 n)
{
    dvc_real low, high;
    dvci_lowest_vertex(c->part[1], n, c->shape[1], &low);
    dvci_lowest_vertex(c->part[0], dvci_neg(n), c->shape[0], &high);
    return low + dvci_dot(n, c->d) + high - c->part[0]->skin - c->part[1]->skin;
}

/* A direction in which two parts are apart, or least deep, and what it belongs to. */
typedef struct dvci_axis {
    dvc_real gap;
    int side;                 /* 0, 1: face of that part; 2: pair of edges; 3: rounded features */
    int a, b;                 /* the face in a; the edges */
    dvc_feature feature_a, feature_b;
} dvci_axis;

static void dvci_try_axis(dvci_axis *best, dvc_real gap, int side, int a, int b)
{
    if (!(gap > best->gap)) return;
    best->gap = gap;
    best->side = side;
    best->a = a;
    best->b = b;
}

/* The rounded feature of polytope `side` that a sphere is next to. */
static void dvci_try_round_axis(dvci_couple *c, int side, dvci_axis *best)
{
    const dvci_part *y = c->part[side], *x = c->part[1 - side];
    dvc_vec3 q = dvci_add(x->vertices[0], dvci_to_other(c, side)), closest = q;
    dvc_feature feature = dvci_closest_feature(y, q, &closest);
    dvc_real gap = dvci_norm(dvci_sub(q, closest)) - x->skin;
    if (!(gap > best->gap) || DVC_FEATURE_KIND(feature) == DVC_FACE) return; /* faces have been tried */
    dvci_try_axis(best, gap, 3, 0, 0);
    best->feature_a = side == 0 ? feature : DVC_FEATURE(DVC_VERTEX, 0);
    best->feature_b = side == 0 ? DVC_FEATURE(DVC_VERTEX, 0) : feature;
}

/* Looks for a plane between two polytopes whose edges do not reach each other's boxes: the point of the difference body
 * closest to the origin, segment by segment. Returns its gap, or -infinity if the bodies meet or are too close to tell. */
static dvc_real dvci_apart_gap(const dvci_couple *c)
{
    dvc_vec3 v = dvci_sub(dvci_add(c->d, c->part[1]->vertices[0]), c->part[0]->vertices[0]), w, back;
    int k;
    for (k = 0; k < 48; k++) {
        dvc_real low, high, square = dvci_dot(v, v), toward;
        int i = dvci_lowest_vertex(c->part[1], v, c->shape[1], &low),
            j = dvci_lowest_vertex(c->part[0], dvci_neg(v), c->shape[0], &high);
        w = dvci_sub(dvci_add(c->d, c->part[1]->vertices[i]), c->part[0]->vertices[j]);
        if (dvci_dot(v, w) > 0) return dvci_dot(v, w) / dvci_sqrt(square);
        back = dvci_sub(v, w);
        toward = dvci_dot(back, back);
        if (!(toward > 0) || square < DVCI_R(1e-8) * c->size * c->size) break;
        v = dvci_madd(v, back, -dvci_clamp(dvci_dot(v, back) / toward, 0, 1));
    }
    return -DVC_INFINITY;
}

/* Pairs of edges that reach into each other's boxes grown by `reach`. */
static void dvci_try_edge_axes(dvci_couple *c, dvc_real reach, dvc_real enough, dvci_axis *best)
{
    dvci_arena *arena = &c->s->arena;
    size_t mark = arena->used;
    dvci_arc *edges_a = (dvci_arc *)dvci_alloc(arena, (size_t)c->part[0]->edge_count, sizeof *edges_a);
    dvci_arc *edges_b = (dvci_arc *)dvci_alloc(arena, (size_t)c->part[1]->edge_count, sizeof *edges_b);
    dvc_real *heights_a = dvci_alloc_reals(arena, (size_t)c->part[0]->face_count);
    dvc_real *heights_b = dvci_alloc_reals(arena, (size_t)c->part[1]->face_count);
    int count_a = 0, count_b = 0, i, k;
    dvc_real gap;
    dvc_vec3 n;
    c->reach = reach;
    if (!arena->failed) {
        dvci_face_heights(c, 0, heights_a);
        dvci_face_heights(c, 1, heights_b);
        count_a = dvci_edges_near(c, 0, heights_a, best->gap, reach, edges_a);
        count_b = count_a > 0 ? dvci_edges_near(c, 1, heights_b, best->gap, reach, edges_b) : 0;
    }
    for (i = 0; i < count_a && best->gap < enough; i++)
        for (k = 0; k < count_b && best->gap < enough; k++)
            if (dvci_arc_pair(c, &edges_a[i], &edges_b[k], &n, &gap))
                dvci_try_axis(best, dvci_min(gap, dvci_gap_along(c, n)), 2, edges_a[i].edge, edges_b[k].edge);
    arena->used = mark;
}

/* The best axis of all that edges have no part in, or the first one found with a gap of `enough`. */
static dvci_axis dvci_best_plane_axis(dvci_couple *c, dvc_real enough)
{
    const dvci_part *a = c->part[0], *b = c->part[1];
    int side, face, vertex;
    dvci_axis best;
    dvc_vec3 n;
    memset(&best, 0, sizeof best);
    best.gap = -DVC_INFINITY;
    for (side = 0; side < 2; side++)
        for (face = 0; c->part[1 - side]->vertex_count > 0 && face < c->part[side]->face_count && best.gap < enough; face++)
            dvci_try_axis(&best, dvci_face_gap(c, side, face, &vertex), side, face, -1);
    if (a->face_count == 0 && b->face_count == 0)
        dvci_try_axis(&best, dvci_round_gap(c, a->vertices[0], dvci_add(c->d, b->vertices[0]), dvci_vec(0, 1, 0), &n), 3, 0, 0);
    for (side = 0; side < 2; side++)
        if (c->part[1 - side]->skin > 0 && c->part[side]->face_count > 0 && c->part[side]->kind != DVC_PLANE
            && best.gap + c->part[1 - side]->skin > 0 && best.gap < enough)
            dvci_try_round_axis(c, side, &best);
    return best;
}

/* The best axis of a pair where the bodies are, or the first one found with a gap of `enough`: faces, then pairs of edges. */
static dvci_axis dvci_best_axis(dvci_couple *c, dvc_real enough)
{
    dvci_axis best = dvci_best_plane_axis(c, enough);
    if (best.gap >= enough || c->part[0]->edge_count == 0 || c->part[1]->edge_count == 0) return best;
    dvci_try_edge_axes(c, DVCI_R(1e-3) * c->size, enough, &best); /* edges that just touch */
    if (best.gap < enough && enough < DVC_INFINITY) dvci_try_axis(&best, dvci_apart_gap(c), best.side, best.a, best.b);
    return best;
}

/* ------------------------------------------------------------------------------------------------
 * >>models  the contact models of the literature, for comparison
 * ------------------------------------------------------------------------------------------------
 * They look at single features: a vertex within eps of a face, an edge within eps of an edge (W 3.5, 3.6), whether they
 * could carry a force (applicability, W 3.3-3.5; feasibility, W 3.3), and make of each such elementary contact
 *
 *     standard     a group of its own: all hold at once, which traps vertices at corners
 *     LNC          one disjunction per vertex over the faces near it; edges stand alone
 *     corrective   only of pairs that overlap: one contact along the axis of least depth
 *     PEG literal  W's U, I and X constraints (4.7, 4.9, 4.15) as one complementarity problem (4.50): a group is an
 *                  I-constraint, its first facet the primary sub-contact, the only one with a force; X is I.
 *
 * With half-spaces, and among balls, there is one contact per pair in all of them. W's constraints know no balls: the literal
 * model has PEG's disjunction for a ball and a polytope.
 */
#define DVCI_RELAXED DVCI_R(0.2) /* -eps_theta of W 3.2 */

typedef struct dvci_elementary { /* an elementary contact before it has points */
    int side, a, b;       /* 0, 1: face a of that part, vertex b of the other; 2: edges a and b */
    bool flip;            /* edges: with the opposite normal */
    bool fits;            /* applicable: its normal is one that both features allow */
    bool able;            /* and feasible: it could carry a force */
    dvc_real gap;
} dvci_elementary;

/* W 3.3, 3.4: how far the neighbours of a vertex rise from the plane with normal n; 1 for a sphere. */
static dvc_real dvci_vertex_applicability(const dvci_part *part, int vertex, dvc_vec3 n)
{
    dvc_real least = 1;
    int i, count = part->edge_count > 0 ? part->edge_count : part->face_count;
    for (i = 0; i < count; i++) { /* a polygon's faces are its edges */
        int tail = part->edge_count > 0 ? part->edges[i].tail : i,
            head = part->edge_count > 0 ? part->edges[i].head : (i + 1) % count;
        int other = tail == vertex ? head : head == vertex ? tail : -1;
        if (other >= 0) least = dvci_min(least, dvci_dot(n, dvci_unit(dvci_sub(part->vertices[other], part->vertices[vertex]))));
    }
    return least;
}

/* Distance of a point (relative to the part's body) from a face's polygon. */
static dvc_real dvci_face_distance(const dvci_part *y, int face, dvc_vec3 q)
{
    dvc_real height = dvci_abs(dvci_dot(y->normals[face], q) - y->offsets[face]), least = DVC_INFINITY;
    const int *loop;
    int count, k;
    if (dvci_over_face(y, face, q, 0)) return height;
    count = dvci_face_loop(y, face, &loop);
    for (k = 0; k < count; k++) {
        dvc_vec3 a = y->vertices[loop[k]], e = dvci_sub(y->vertices[loop[k + 1 < count ? k + 1 : 0]], a);
        least = dvci_min(least, dvci_norm(dvci_sub(q, dvci_madd(a, e, dvci_closest_on_segment(a, dvci_add(a, e), q)))));
    }
    return least;
}

/* A vertex of the other part against a face; false if they are not near. */
static bool dvci_near_vertex(const dvci_couple *c, int side, int face, int vertex, dvci_elementary *sub)
{
    const dvci_part *x = c->part[1 - side], *y = c->part[side];
    dvc_vec3 q = dvci_add(x->vertices[vertex], dvci_to_other(c, side));
    sub->side = side;
    sub->a = face;
    sub->b = vertex;
    sub->flip = false;
    sub->gap = dvci_vertex_gap(c, side, face, vertex);
    sub->fits = dvci_vertex_applicability(x, vertex, y->normals[face]) >= -DVCI_RELAXED;
    sub->able = sub->fits && sub->gap > -c->feasible && dvci_over_face(y, face, q, c->reach);
    return dvci_face_distance(y, face, q) - x->skin <= c->reach;
}

/* Where two segments p + s u and q + t v are closest (W Alg. 7: t is clamped, then s is the best for it). */
static void dvci_closest_on_segments(dvc_vec3 p, dvc_vec3 u, dvc_vec3 q, dvc_vec3 v, dvc_real *s, dvc_real *t)
{
    dvc_vec3 r = dvci_sub(p, q);
    dvc_real a = dvci_dot(u, u), b = dvci_dot(u, v), e = dvci_dot(v, v), c = dvci_dot(u, r), f = dvci_dot(v, r), d = a * e - b * b;
    *s = d > DVCI_R(1e-12) * a * e ? dvci_clamp((b * f - c * e) / d, 0, 1) : 0;
    *t = (b * *s + f) / e;
    if (*t >= 0 && *t <= 1) return;
    *t = dvci_clamp(*t, 0, 1);
    *s = dvci_clamp((b * *t - c) / a, 0, 1);
}

/* Two edges; false if they are parallel or not near. The normal points from part 0 to part 1 as their orientation says. */
static bool dvci_near_edges(const dvci_couple *c, int edge_a, int edge_b, dvci_elementary *sub)
{
    dvci_arc a, b;
    dvc_vec3 p, q, u, v, n, on_a, on_b;
    dvc_real s, t;
    int sign;
    dvci_set_arc(&a, c->part[0], edge_a);
    dvci_set_arc(&b, c->part[1], edge_b);
    p = a.tail;
    q = dvci_add(b.tail, c->d);
    u = a.along;
    v = b.along;
    if (!dvci_cross_lines(p, u, q, v, &s, &t)) return false;
    n = dvci_unit(dvci_cross(u, v));
    sign = dvci_arcs_sign(&a, &b, n, 1, DVCI_RELAXED);
    sub->side = 2;
    sub->a = edge_a;
    sub->b = edge_b;
    sub->flip = sign <= 0;
    if (sub->flip) n = dvci_neg(n);
    sub->gap = dvci_dot(n, dvci_sub(q, p));
    sub->fits = sign != 0;
    sub->able = sub->fits && sub->gap > -c->feasible;
    dvci_closest_on_segments(p, u, q, v, &s, &t);
    on_a = dvci_madd(p, u, s);
    on_b = dvci_madd(q, v, t);
    return dvci_norm(dvci_sub(on_b, on_a)) <= c->reach;
}

/* The sub-contact as a facet of the open group. */
static void dvci_make_sub_facet(const dvci_couple *c, const dvci_elementary *sub)
{
    dvci_facet *facet = dvci_open_facet(c, sub->gap);
    facet->single = true;
    if (sub->side < 2) {
        DVC_ASSERT(sub->a >= 0 && sub->a < c->part[sub->side]->face_count);
        DVC_ASSERT(sub->b >= 0 && sub->b < c->part[1 - sub->side]->vertex_count);
        dvci_add_vertex_point(c, sub->side, sub->a, sub->b);
    } else {
        dvc_vec3 p, q,
            n = dvci_unit(dvci_cross(dvci_edge_vector(c->part[0], sub->a, &p), dvci_edge_vector(c->part[1], sub->b, &q)));
        dvci_add_edge_point(c, sub->a, sub->b, sub->flip ? dvci_neg(n) : n, c->s->point_count);
    }
    dvci_close_facet(c, facet);
}

/* Where free motion takes the sub-contact's gap. */
static dvc_real dvci_predicted_gap(const dvci_couple *c, const dvci_elementary *sub)
{
    dvc_vec3 p, q, n;
    if (sub->side < 2)
        return sub->gap
               + dvci_dot(c->part[sub->side]->normals[sub->a],
                          dvci_free_shift(c, sub->side, c->part[1 - sub->side]->vertices[sub->b]));
    n = dvci_unit(dvci_cross(dvci_edge_vector(c->part[0], sub->a, &p), dvci_edge_vector(c->part[1], sub->b, &q)));
    return sub->gap + dvci_dot(sub->flip ? dvci_neg(n) : n, dvci_free_shift(c, 0, q));
}

static bool dvci_comes_before(const dvci_couple *c, const dvci_elementary *a, const dvci_elementary *b, bool literal)
{
    if (a->able != b->able) return a->able;
    return literal ? dvci_predicted_gap(c, a) > dvci_predicted_gap(c, b) : a->gap > b->gap;
}

/* A group of its own for these sub-contacts; an able one comes first, in the literal model that which will be most open. */
static void dvci_make_sub_group(dvci_couple *c, const dvci_elementary *subs, int count, bool literal)
{
    dvci_step *s = c->s;
    dvci_group *g = dvci_open_group(s, c->pair_a, c->pair_b);
    int i, first = 0;
    c->group = (int)(g - s->groups);
    g->literal = literal;
    g->cosine = literal ? c->cosine : 1;
    for (i = 1; i < count; i++)
        if (dvci_comes_before(c, &subs[i], &subs[first], literal)) first = i;
    if (count > 0) dvci_make_sub_facet(c, &subs[first]);
    for (i = 0; i < count; i++)
        if (i != first) dvci_make_sub_facet(c, &subs[i]);
    dvci_close_group(s, g);
}

/* Standard and LNC: every vertex against the faces near it, then edges. */
static void dvci_pair_by_vertices(dvci_couple *c, bool one_disjunction, dvci_elementary *subs)
{
    int side, vertex, face, i, k, count;
    for (side = 0; side < 2; side++)
        for (vertex = 0; vertex < c->part[1 - side]->vertex_count; vertex++) {
            for (count = 0, face = 0; face < c->part[side]->face_count; face++)
                count += dvci_near_vertex(c, side, face, vertex, &subs[count]);
            if (one_disjunction && count > 0) dvci_make_sub_group(c, subs, count, false);
            for (i = 0; !one_disjunction && i < count; i++) dvci_make_sub_group(c, &subs[i], 1, false);
        }
    for (i = 0; i < c->part[0]->edge_count; i++)
        for (k = 0; k < c->part[1]->edge_count; k++)
            if (dvci_near_edges(c, i, k, subs) && subs->able) dvci_make_sub_group(c, subs, 1, false);
}

/* Corrective: the deepest vertex, or the edges, or the rounded features, along the axis of least depth. */
static void dvci_pair_corrective(dvci_couple *c)
{
    dvci_axis axis = dvci_best_axis(c, 0);
    dvci_elementary sub;
    dvc_vec3 n;
    if (axis.gap >= 0) return;
    if (axis.side > 2) { /* into the group that is open for the pair */
        dvci_make_round_facet(c, axis.feature_a, axis.feature_b);
        dvci_close_group(c->s, &c->s->groups[c->group]);
        return;
    }
    sub.side = axis.side;
    sub.a = axis.a;
    sub.b = axis.b;
    sub.fits = sub.able = true;
    sub.flip = false;
    sub.gap = axis.gap;
    if (axis.side < 2) dvci_face_gap(c, axis.side, axis.a, &sub.b);
    else if (dvci_edge_pair(c, axis.a, axis.b, &n, &sub.gap)) {
        dvc_vec3 p, q;
        sub.flip = dvci_dot(n, dvci_cross(dvci_edge_vector(c->part[0], axis.a, &p), dvci_edge_vector(c->part[1], axis.b, &q)))
                   < 0;
    }
    dvci_make_sub_group(c, &sub, 1, false);
}

/* ---- W's algorithms 8-17 ----
 * With these corrections, without which they hold bodies apart that are apart, or push what they should let pass:
 *
 *     feasible    (W 3.3) means not deeper than the pair itself is, which is not at all where the bodies are apart. With
 *                 contacts feasible down to -eps (Alg. 5, 6) the force stands on features that are behind others.
 *     I           of one vertex: all faces of the other part within eps in one, around whatever vertices and edges they are.
 *                 Two such disjunctions that share a face would ask for more than that the vertex is outside.
 *                 A vertex inside is near the faces that are its way out, however deep it is (Alg. 11 drops it below eps).
 *     X           a pair of edges is its alternative if it is applicable, feasible or not: where it is open now is of no matter,
 *                 as long as one of both is. An edge leads to one side of the other edge, not to both (Alg. 14 has both where
 *                 it leads nearly along it: the second is wrong as soon as the vertex is on the first one's side).
 *     twice       each pair of a vertex and an edge makes its X once, each pair of edges that is in none a U (Alg. 17 marks
 *                 features, so that what is far from a marked corner is lost, and in an order that decides what is).
 */

/* Normals that are asked for: those within an angle of `n`; all of them, if its cosine is -1. */
typedef struct dvci_cone { dvc_vec3 n; dvc_real cosine; } dvci_cone;

static bool dvci_in_cone(const dvci_cone *cone, dvc_vec3 n) { return cone->cosine <= -1 || dvci_dot(cone->n, n) >= cone->cosine; }

static dvci_cone dvci_any_normal(void)
{
    dvci_cone cone;
    cone.n = dvci_vec(0, 0, 0);
    cone.cosine = -1;
    return cone;
}

/* Room between the parts along the normal of two edges, if one that both support is in the cone. */
static dvc_real dvci_edges_room(const dvci_couple *c, const dvci_arc *a, const dvci_arc *b, const dvci_cone *cone)
{
    const dvc_real parallel = DVCI_DOUBLE ? DVCI_R(1e-12) : DVCI_R(1e-6);
    dvc_vec3 n = dvci_cross(a->along, b->along);
    dvc_real square = dvci_dot(n, n);
    int sign = square > parallel * a->square * b->square ? dvci_arcs_sign(a, b, n, square, DVCI_EDGE_LEAN) : 0;
    if (sign == 0) return -DVC_INFINITY;
    n = dvci_scale(n, (dvc_real)sign / dvci_sqrt(square));
    return dvci_in_cone(cone, n) ? dvci_gap_along(c, n) : -DVC_INFINITY;
}

/* Room between two polytopes where the bodies are, by their faces and pairs of edges, or the first that is `enough`. */
static dvc_real dvci_polytope_room(const dvci_couple *c, const dvci_cone *cone, dvc_real enough)
{
    dvc_real room = -DVC_INFINITY;
    int side, i, k;
    dvci_arc a, b;
    for (side = 0; side < 2; side++)
        for (i = 0; i < c->part[side]->face_count && room < enough; i++) {
            dvc_vec3 n = c->part[side]->normals[i];
            if (dvci_in_cone(cone, side == 0 ? n : dvci_neg(n))) room = dvci_max(room, dvci_face_gap(c, side, i, &k));
        }
    for (i = 0; i < c->part[0]->edge_count && room < enough; i++)
        for (dvci_set_arc(&a, c->part[0], i), k = 0; k < c->part[1]->edge_count && room < enough; k++) {
            dvci_set_arc(&b, c->part[1], k);
            room = dvci_max(room, dvci_edges_room(c, &a, &b, cone));
        }
    return room;
}

static bool dvci_face_has(const dvci_part *part, int face, int vertex)
{
    const int *loop;
    int count = dvci_face_loop(part, face, &loop), k;
    for (k = 0; k < count; k++)
        if (loop[k] == vertex) return true;
    return false;
}

static bool dvci_edge_has(const dvci_part *part, int edge, int vertex)
{
    return part->edges[edge].tail == vertex || part->edges[edge].head == vertex;
}

/* How high the vertex of the other part is above the faces of part `side`, at most: < 0 inside. */
static dvc_real dvci_vertex_height(const dvci_couple *c, int side, int vertex)
{
    dvc_real height = -DVC_INFINITY;
    int face;
    for (face = 0; face < c->part[side]->face_count; face++) height = dvci_max(height, dvci_vertex_gap(c, side, face, vertex));
    return height;
}

/* Is it within eps of the edge? */
static bool dvci_vertex_is_near_edge(const dvci_couple *c, int side, int edge, int vertex)
{
    dvc_vec3 q = dvci_add(c->part[1 - side]->vertices[vertex], dvci_to_other(c, side)), tail;
    dvc_vec3 along = dvci_edge_vector(c->part[side], edge, &tail);
    dvc_real t = dvci_closest_on_segment(tail, dvci_add(tail, along), q);
    return dvci_norm(dvci_sub(q, dvci_madd(tail, along, t))) <= c->reach;
}

/* An I-constraint of these sub-contacts. Anitescu and Potra know no gaps: for them it is one of what touches, if none is open. */
static void dvci_make_literal(dvci_couple *c, dvci_elementary *subs, int count)
{
    const dvc_real touching = DVCI_GAP_CHECK * c->size;
    dvc_real best = -DVC_INFINITY;
    int i, kept = 0;
    if (c->s->world->time_stepping == DVC_ANITESCU_POTRA) {
        for (i = 0; i < count; i++) best = dvci_max(best, subs[i].gap);
        for (i = 0; i < count && best <= touching; i++)
            if (subs[i].gap >= best - touching) subs[kept++] = subs[i];
        count = kept;
    }
    if (count > 0) dvci_make_sub_group(c, subs, count, true);
}

/* An X-constraint of two sub-contacts, if it holds where the bodies are. */
static void dvci_literal_cross(dvci_couple *c, dvci_elementary *subs)
{
    if (dvci_max(subs[0].gap, subs[1].gap) > -c->feasible) dvci_make_literal(c, subs, 2);
}

/* The U- or I-constraint of a vertex against the faces near it (W 4.16, 4.21; Alg. 8, 10, 12, 16). None of them may be able to
 * carry a force: then the vertex is not the one that would touch. */
static void dvci_literal_vertex(dvci_couple *c, int side, int vertex, dvci_elementary *subs)
{
    dvc_real height = dvci_vertex_height(c, side, vertex);
    bool able = false;
    int face, count = 0;
    for (face = 0; face < c->part[side]->face_count; face++) {
        bool near = dvci_near_vertex(c, side, face, vertex, &subs[count]);
        if (!near && (height >= 0 || subs[count].gap < height - 2 * c->reach)) continue; /* not the way out in this step */
        able = able || subs[count].able;
        count++;
    }
    if (able) dvci_make_literal(c, subs, count);
}

/* Alg. 10: the X-constraints of a 2D vertex pair: before-edge of one with after-edge of the other. */
static void dvci_literal_cross_2d(dvci_couple *c, int vertex_a, int vertex_b, dvci_elementary *subs)
{
    int na = c->part[0]->face_count, nb = c->part[1]->face_count, k;
    DVC_ASSERT(vertex_a < na && vertex_b < nb);
    for (k = 0; k < 2; k++) {
        dvci_near_vertex(c, 1, k ? vertex_b : (vertex_b + nb - 1) % nb, vertex_a, &subs[0]);
        dvci_near_vertex(c, 0, k ? (vertex_a + na - 1) % na : vertex_a, vertex_b, &subs[1]);
        dvci_literal_cross(c, subs);
    }
}

static size_t dvci_edge_pair_index(const dvci_couple *c, int edge_a, int edge_b)
{
    DVC_ASSERT(edge_a >= 0 && edge_a < c->part[0]->edge_count && edge_b >= 0 && edge_b < c->part[1]->edge_count);
    return (size_t)edge_a * (size_t)c->part[1]->edge_count + (size_t)edge_b;
}

/* Alg. 14: a vertex of part `1 - side` near an edge of part `side`: each of its edges, with the face to whose side it leads.
 * `crossed` receives the pairs of edges that are looked after. */
static void dvci_literal_cross_3d(dvci_couple *c, int side, int edge, int vertex, dvci_elementary *subs, signed char *crossed)
{
    const dvci_part *y = c->part[side], *x = c->part[1 - side];
    const dvc_edge *e = &y->edges[edge];
    dvc_vec3 from, along, direction = dvci_edge_vector(y, edge, &from);
    dvc_vec3 orientation = dvci_cross(direction, dvci_neg(dvci_add(y->normals[e->face_1], y->normals[e->face_2]))); /* W 3.4 */
    int i;
    for (i = 0; i < x->edge_count; i++) {
        int a = side == 0 ? edge : i, b = side == 0 ? i : edge;
        if (!dvci_edge_has(x, i, vertex) || !dvci_near_edges(c, a, b, &subs[1]) || !subs[1].fits) continue;
        crossed[dvci_edge_pair_index(c, a, b)] = 1;
        along = dvci_edge_vector(x, i, &from);
        if (x->edges[i].head == vertex) along = dvci_neg(along);
        dvci_near_vertex(c, side, dvci_dot(along, orientation) >= 0 ? e->face_1 : e->face_2, vertex, &subs[0]);
        dvci_literal_cross(c, subs);
    }
}

/* The X-constraints of vertices with vertices and edges that are near. */
static void dvci_literal_crosses(dvci_couple *c, dvci_elementary *subs, signed char *crossed)
{
    const dvci_part *a = c->part[0], *b = c->part[1];
    int side, i, k;
    for (i = 0; c->s->world->planar && i < a->vertex_count; i++)
        for (k = 0; k < b->vertex_count; k++)
            if (dvci_norm(dvci_sub(dvci_add(b->vertices[k], c->d), a->vertices[i])) <= c->reach)
                dvci_literal_cross_2d(c, i, k, subs);
    for (side = 0; side < 2; side++)
        for (k = 0; k < c->part[side]->edge_count; k++)
            for (i = 0; i < c->part[1 - side]->vertex_count; i++)
                if (dvci_vertex_is_near_edge(c, side, k, i)) dvci_literal_cross_3d(c, side, k, i, subs, crossed);
}

/* Alg. 11 and 17. Parts that overlap so deep that no features are near get PEG's facets, in the group that is open. */
static void dvci_pair_literal(dvci_couple *c, dvci_elementary *subs)
{
    dvci_step *s = c->s;
    const dvci_part *a = c->part[0], *b = c->part[1];
    int side, i, k, before = s->group_count;
    size_t pairs = (size_t)a->edge_count * (size_t)b->edge_count;
    dvci_cone all = dvci_any_normal();
    dvc_real gap = dvci_polytope_room(c, &all, 0);
    signed char *crossed = dvci_alloc_modes(&s->arena, pairs);
    if (s->arena.failed) return;
    if (pairs > 0) memset(crossed, 0, pairs);
    c->feasible = DVCI_GAP_CHECK * c->size - dvci_min(0, gap);
    for (side = 0; side < 2; side++)
        for (i = 0; i < c->part[1 - side]->vertex_count; i++) dvci_literal_vertex(c, side, i, subs);
    dvci_literal_crosses(c, subs, crossed);
    for (i = 0; i < a->edge_count; i++)
        for (k = 0; k < b->edge_count; k++)
            if (!crossed[dvci_edge_pair_index(c, i, k)] && dvci_near_edges(c, i, k, subs) && subs->able)
                dvci_make_literal(c, subs, 1);
    if (s->group_count > before || gap >= 0) return;
    s->groups[before].gone = -dvci_recovery_speed(s, c->size) * s->h; /* nor do they say how fast they part */
    dvci_pair_polytopes(c);
    dvci_close_group(s, &s->groups[before]);
}

/* The pair in the world's model, unless that is PEG. */
static void dvci_pair_by_model(dvci_couple *c)
{
    dvci_arena *arena = &c->s->arena;
    size_t mark = arena->used;
    size_t faces = (size_t)c->part[0]->face_count + (size_t)c->part[1]->face_count + 2;
    dvci_elementary *subs = (dvci_elementary *)dvci_alloc(arena, faces, sizeof *subs);
    if (!arena->failed) {
        switch (c->s->world->contact_model) {
        case DVC_STANDARD: dvci_pair_by_vertices(c, false, subs); break;
        case DVC_LNC: dvci_pair_by_vertices(c, true, subs); break;
        case DVC_CORRECTIVE: dvci_pair_corrective(c); break;
        default: dvci_pair_literal(c, subs); break;
        }
    }
    arena->used = mark;
}

/* ------------------------------------------------------------------------------------------------
 * >>groups  a pair that is near becomes a disjunction
 * ------------------------------------------------------------------------------------------------
 * Reach, friction and surface of the pair, its facets and points, and what the last step knew about them.
 */
static int dvci_group_body(const dvci_step *s, const dvci_group *g, int side)
{
    return s->parts[side ? g->part_b : g->part_a].body;
}

/* Length scale of a pair: the smaller of what has a size; a particle on a half-space has none, then its reach counts. */
static dvc_real dvci_pair_size(const dvci_part *a, const dvci_part *b, dvc_real reach)
{
    if (a->size > 0 && b->size > 0) return dvci_min(a->size, b->size);
    return a->size > 0 ? a->size : b->size > 0 ? b->size : dvci_max(reach, DVCI_R(1e-9));
}

/* How far from its body's centre a part can touch the other: half-spaces wherever the other is. */
static dvc_real dvci_lever(const dvci_step *s, const dvci_part *part, const dvci_part *other)
{
    const dvci_body *body = &s->bodies[part->body], *to = &s->bodies[other->body];
    return part->kind == DVC_PLANE ? dvci_norm(dvci_sub(to->x, body->x)) + to->reach : body->reach;
}

/* The models of the literature know no other distance than what the user says. */
static bool dvci_reach_is_given(const dvc_world *world) { return world->epsilon > 0 && world->contact_model != DVC_PEG; }

/* How far the parts can come towards each other in this step, beside the slop; or farther, if the user says so. */
static dvc_real dvci_pair_reach(const dvci_step *s, const dvci_part *part_a, const dvci_part *part_b)
{
    const dvci_body *a = &s->bodies[part_a->body], *b = &s->bodies[part_b->body];
    dvc_real motion, lever_a = dvci_lever(s, part_a, part_b), lever_b = dvci_lever(s, part_b, part_a);
    motion = dvci_norm(dvci_sub(b->v_start, a->v_start)) + lever_a * dvci_norm(a->w_start) + lever_b * dvci_norm(b->w_start);
    motion = dvci_reach_is_given(s->world) ? 0 : s->h * (motion + dvci_body_gain(a, lever_a) + dvci_body_gain(b, lever_b));
    return dvci_max(motion, s->world->epsilon) + a->extra + b->extra;
}


/* Most speed at which overlap is undone: that of a fall from the part's own size. */
static dvc_real dvci_recovery_speed(const dvci_step *s, dvc_real size)
{
    if (s->world->recovery_speed > 0) return s->world->recovery_speed;
    return s->gravity > 0 ? dvci_sqrt(s->gravity * size) : size / (20 * s->h);
}

/* Friction and its directions: shapes, then rules. */
static int dvci_pair_friction(const dvci_step *s, const dvc_shape *a, const dvc_shape *b, const dvc_pair_rule *rule,
                              dvc_real *friction)
{
    int nd = rule && rule->friction_directions ? rule->friction_directions : s->world->friction_directions;
    *friction = rule && rule->set_friction ? rule->friction : dvci_sqrt(a->friction * b->friction);
    return !(*friction > 0) ? 0 : s->world->planar ? 2 : nd ? nd : 8;
}

/* The same, bounce and surface motion of a group. */
static void dvci_group_surface(const dvci_step *s, dvci_group *g)
{
    const dvc_shape *a = &s->world->shapes[g->part_a], *b = &s->world->shapes[g->part_b];
    const dvc_pair_rule *rule = s->world->pair_rule_count > 0 ? dvci_find_rule(s, a->body, b->body) : NULL;
    g->directions = dvci_pair_friction(s, a, b, rule, &g->friction);
    g->restitution = rule && rule->set_restitution ? rule->restitution : dvci_max(a->restitution, b->restitution);
    g->fixed_tangents = s->world->fixed_tangents || (rule && rule->fixed_tangents);
    g->tangent_angle = rule && rule->fixed_tangents ? rule->tangent_angle : s->world->tangent_angle;
    if (!dvci_zero_vec(a->surface_velocity) || !dvci_zero_vec(b->surface_velocity))
        g->surface = dvci_sub(dvci_mul(s->parts[g->part_b].axes, b->surface_velocity),
                              dvci_mul(s->parts[g->part_a].axes, a->surface_velocity));
    g->sensor = a->sensor || b->sensor;
}

/* The largest numbers that places on the body are made of. */
static dvc_real dvci_body_span(const dvci_body *body)
{
    return dvci_abs(body->x.x) + dvci_abs(body->x.y) + dvci_abs(body->x.z) + body->reach;
}

/* Do the bodies move less than such a part of `size` against each other in the step? */
static bool dvci_pair_keeps(const dvci_step *s, const dvci_body *a, const dvci_body *b, dvc_real size, dvc_real part)
{
    dvc_vec3 v = dvci_sub(b->v_start, a->v_start);
    dvc_real most = part * size / s->h, spin = dvci_dot(a->w_start, a->w_start) + dvci_dot(b->w_start, b->w_start);
    return dvci_dot(v, v) + spin * size * size <= most * most;
}

/* Opens a group for a pair; it is closed by keeping it only if it got facets. */
static dvci_group *dvci_open_group(dvci_step *s, int part_a, int part_b)
{
    const dvci_part *a = &s->parts[part_a], *b = &s->parts[part_b];
    dvci_group *g;
    DVC_ASSERT(s->group_count <= s->world->contact_capacity);
    g = &s->groups[s->group_count];
    memset(g, 0, sizeof *g);
    g->part_a = part_a;
    g->part_b = part_b;
    g->first = s->facet_count;
    g->reach = dvci_pair_reach(s, a, b);
    g->size = dvci_pair_size(a, b, g->reach);
    if (!dvci_reach_is_given(s->world)) g->reach += DVCI_SLOP * g->size;
    g->fast = g->reach > g->size;
    g->gone = s->world->contact_model == DVC_PEG || s->world->recovery_speed > 0 ? -dvci_recovery_speed(s, g->size) * s->h
                                                                                 : -DVC_INFINITY;
    if (s->world->contact_model == DVC_PEG
        && dvci_pair_keeps(s, &s->bodies[a->body], &s->bodies[b->body], g->size, DVCI_WAY_CALM))
        g->rounding = DVCI_GAP_ROUND * (dvci_body_span(&s->bodies[a->body]) + dvci_body_span(&s->bodies[b->body]));
    g->island = -1;
    return g;
}

/* Where the contacts of the last step begin for each first shape. The array is sorted by shapes. */
static void dvci_index_contacts(dvci_step *s)
{
    const dvc_world *world = s->world;
    int i, shape = 0;
    for (i = 0; i < world->contact_count; i++)
        while (shape <= dvci_imin(world->contacts[i].shape_a, world->shape_count)) s->known[shape++] = i;
    while (shape <= world->shape_count) s->known[shape++] = i;
}

/* The contacts of the last step between two shapes: first one and number. */
static int dvci_find_contacts(const dvci_step *s, int shape_a, int shape_b, int *first)
{
    const dvc_world *world = s->world;
    int from = s->known[shape_a], to = s->known[shape_a + 1], count = 0;
    while (from < to) {
        int middle = from + (to - from) / 2;
        if (world->contacts[middle].shape_b < shape_b) from = middle + 1;
        else to = middle;
    }
    *first = from;
    while (from + count < world->contact_count && world->contacts[from + count].shape_a == shape_a
           && world->contacts[from + count].shape_b == shape_b)
        count++;
    return count;
}

/* What the point was in the last step. */
static void dvci_point_recall(const dvci_step *s, dvci_facet *facet, const dvc_contact *c, dvci_point *point)
{
    dvc_real part = s->at_end ? DVCI_R(0.5) : 1; /* of the step's impulse that is given before bodies are moved, where nothing changes */
    if (!c->chosen && point->warm) return;
    point->warm = c->warm;
    point->impulse = part * c->normal_impulse;
    point->friction = dvci_scale(dvci_madd(c->impulse, c->normal, -c->normal_impulse), part);
    point->known = c->impulse;
    if (c->normal_impulse > 0) facet->carried = true;
}

/* The facet's points with the same features; returns whether there are any. */
static bool dvci_recall_features(dvci_step *s, dvci_facet *facet, const dvc_contact *c)
{
    bool found = false;
    int k;
    for (k = facet->first; k < facet->first + facet->count; k++)
        if (c->feature_a == s->points[k].feature_a && c->feature_b == s->points[k].feature_b) {
            dvci_point_recall(s, facet, c, &s->points[k]);
            found = true;
        }
    return found;
}

/* Corners that lie on each other may have changed their features. The facet's first unknown point at the same place. */
static void dvci_recall_place(dvci_step *s, const dvci_group *g, dvci_facet *facet, const dvc_contact *c)
{
    dvc_vec3 from = s->bodies[dvci_group_body(s, g, 0)].x;
    dvc_real near = DVCI_R(1e-4) * g->size;
    int k;
    for (k = facet->first; k < facet->first + facet->count; k++) {
        dvci_point *point = &s->points[k];
        dvc_vec3 apart = dvci_sub(dvci_add(from, point->arm_a), c->point);
        if (point->warm || dvci_dot(apart, apart) > near * near || dvci_dot(point->normal, c->normal) < g->cosine) continue;
        dvci_point_recall(s, facet, c, point);
        return;
    }
}

/* What the last step knew about the group's points. */
static void dvci_group_recall(dvci_step *s, dvci_group *g)
{
    int first, known = dvci_find_contacts(s, g->part_a, g->part_b, &first), f, i, lost = 0;
    for (i = first; i < first + known; i++) {
        const dvc_contact *c = &s->world->contacts[i];
        bool found = false;
        g->touched = g->touched || c->phase == DVC_BEGAN || c->phase == DVC_STAYS;
        for (f = g->first; f < g->first + g->count; f++) found = dvci_recall_features(s, &s->facets[f], c) || found;
        lost += !found && c->chosen;
    }
    for (i = first; lost > 0 && i < first + known; i++)
        for (f = g->first; s->world->contacts[i].chosen && f < g->first + g->count; f++)
            dvci_recall_place(s, g, &s->facets[f], &s->world->contacts[i]);
}

/* Velocity of a body that is not dynamic: the mean one, or the one at the end. */
static dvc_vec3 dvci_given_v(const dvci_step *s, const dvci_body *body) { return s->leaving ? body->v_out : body->v; }
static dvc_vec3 dvci_given_w(const dvci_step *s, const dvci_body *body) { return s->leaving ? body->w_out : body->w; }

/* Velocity of the surfaces against each other at the point as far as it is given: by bodies that are not dynamic. */
static dvc_vec3 dvci_given_velocity(const dvci_step *s, const dvci_point *point)
{
    const dvci_group *g = &s->groups[point->group];
    const dvci_body *a = &s->bodies[s->parts[g->part_a].body], *b = &s->bodies[s->parts[g->part_b].body];
    dvc_vec3 u = dvci_vec(0, 0, 0);
    if (!a->dynamic) u = dvci_sub(u, dvci_add(dvci_given_v(s, a), dvci_cross(dvci_given_w(s, a), point->arm_a)));
    if (!b->dynamic) u = dvci_add(u, dvci_add(dvci_given_v(s, b), dvci_cross(dvci_given_w(s, b), point->arm_b)));
    return u;
}

/* What the overlap at the start leaves to be forgiven at the end: negative or zero. For a pair it is that of its best
 * facet; a point of a facet that was not foreseen has no more rights than its pair, nor have W's sub-contacts, of which most may be
 * violated. */
static dvc_real dvci_forgiven(const dvci_group *g) { return dvci_min(0, g->gap - g->gone); }

static dvc_real dvci_point_forgiven(const dvci_group *g, const dvci_point *point)
{
    return g->literal || point->facet == g->count ? dvci_forgiven(g) : dvci_min(0, point->gap - g->gone);
}

/* Speed along the normal at which the point opens, at the start of the step or in free motion. */
static dvc_real dvci_point_opening(const dvci_step *s, const dvci_point *point, bool in_free_motion)
{
    const dvci_group *g = &s->groups[point->group];
    const dvci_body *a = &s->bodies[s->parts[g->part_a].body], *b = &s->bodies[s->parts[g->part_b].body];
    dvc_vec3 va = in_free_motion ? a->v_free : a->v_start, wa = in_free_motion ? a->w_free : a->w_start;
    dvc_vec3 vb = in_free_motion ? b->v_free : b->v_start, wb = in_free_motion ? b->w_free : b->w_start;
    va = dvci_add(va, dvci_cross(wa, point->arm_a));
    vb = dvci_add(vb, dvci_cross(wb, point->arm_b));
    return dvci_dot(point->normal, dvci_sub(vb, va));
}

/* Newton's law where a point is struck in this step: it opens at restitution times the speed at which it closed. Speeds that
 * gravity makes in two steps are rest. */
static void dvci_point_bounce(dvci_step *s, dvci_point *point)
{
    dvci_group *g = &s->groups[point->group];
    dvc_real opening, bounce;
    point->bounces = false;
    if (!(g->restitution > 0) || g->sensor || s->at_end) return; /* in the step in time impacts have their instants */
    opening = dvci_point_opening(s, point, false);
    if (opening >= -2 * s->gravity * s->h || point->gap + s->h * dvci_point_opening(s, point, true) >= 0) return;
    point->bounces = g->bounces = s->bounced = true;
    bounce = dvci_dot(point->normal, dvci_given_velocity(s, point)) + g->restitution * opening;
    bounce -= dvci_dot(point->row_a, s->bodies[dvci_group_body(s, g, 0)].gyro); /* the law is about w, rows are about w + gyro */
    bounce -= dvci_dot(point->row_b, s->bodies[dvci_group_body(s, g, 1)].gyro);
    point->rate = dvci_min(point->rate, bounce); /* overlap may ask for more */
}

/* What is left to close, or to make good, of a gap. Were rounding made good, too, what rests would never come to rest. */
static dvc_real dvci_point_way(const dvci_group *g, const dvci_point *point)
{
    dvc_real way = point->gap - dvci_point_forgiven(g, point);
    return way < 0 ? dvci_min(0, way + g->rounding) : way > g->rounding ? way : 0;
}

/* The row of a point at the start of the step. */
static void dvci_point_start_row(dvci_step *s, dvci_point *point)
{
    const dvci_group *g = &s->groups[point->group];
    point->bend = dvci_vec(0, 0, 0);
    point->row_v = point->normal;
    point->row_a = dvci_neg(dvci_cross(point->arm_a, point->normal));
    point->row_b = dvci_cross(point->arm_b, point->normal);
    point->rate = s->world->time_stepping == DVC_ANITESCU_POTRA ? 0 : dvci_point_way(g, point) / s->h;
    point->rate += dvci_dot(point->normal, dvci_given_velocity(s, point));
    dvci_point_bounce(s, point);
}

/* Tangents of a point: fixed, or along the slip that the free motion would have. The point before it may have the same. */
static void dvci_point_tangents(const dvci_step *s, dvci_point *point, const dvci_point *before)
{
    const dvci_group *g = &s->groups[point->group];
    const dvci_body *a = &s->bodies[s->parts[g->part_a].body], *b = &s->bodies[s->parts[g->part_b].body];
    dvc_vec3 slip, n = point->normal;
    if (g->directions == 0) return;
    if (s->world->planar) {
        point->slip_1 = dvci_vec(-n.y, n.x, 0);
        return;
    }
    point->tangent = g->fixed_tangents ? g->tangent_angle : 0;
    slip = dvci_add(dvci_sub(b->v_free, a->v_free), g->surface);
    slip = dvci_add(slip, dvci_sub(dvci_cross(dvci_add(b->w_free, b->gyro), point->arm_b),
                                   dvci_cross(dvci_add(a->w_free, a->gyro), point->arm_a)));
    slip = dvci_madd(slip, n, -dvci_dot(slip, n));
    if (!g->fixed_tangents && dvci_dot(slip, slip) > DVCI_R(1e-12) * s->speed * s->speed) {
        point->slip_1 = dvci_unit(dvci_neg(slip)); /* the first friction direction opposes it */
        point->slip_2 = dvci_cross(n, point->slip_1);
    } else if (before && before->normal.x == n.x && before->normal.y == n.y && before->normal.z == n.z && before->plain) {
        point->slip_1 = before->slip_1;
        point->slip_2 = before->slip_2;
        point->plain = true;
    } else {
        dvci_tangents(n, &point->slip_1, &point->slip_2);
        point->plain = true;
    }
}

static void dvci_close_group(dvci_step *s, dvci_group *g)
{
    int f, k;
    if (g->count == 0) return;
    g->gap = -DVC_INFINITY;
    for (f = g->first; f < g->first + g->count; f++) g->gap = dvci_max(g->gap, s->facets[f].gap);
    for (f = g->first; f < g->first + g->count; f++)
        s->facets[f].shadow = s->facets[f].gap < dvci_min(g->gap, 0) - DVCI_R(2e-5) * g->size;
    dvci_group_surface(s, g);
    dvci_group_recall(s, g);
    for (f = g->first; f < g->first + g->count; f++)
        for (k = s->facets[f].first; k < s->facets[f].first + s->facets[f].count; k++) {
            dvci_point_tangents(s, &s->points[k], k > s->facets[f].first ? &s->points[k - 1] : NULL);
            dvci_point_start_row(s, &s->points[k]);
        }
    s->facets[s->facet_count].first = s->facets[s->facet_count].count = 0;
    s->facet_count++; /* room for a facet that was not foreseen */
    s->group_count++;
}

/* Has the world's model, unless that is PEG, contacts of its own for such a pair? W's constraints know polytopes only. */
static bool dvci_pair_has_model(const dvci_couple *c)
{
    const dvci_part *a = c->part[0], *b = c->part[1];
    dvc_contact_model model = c->s->world->contact_model;
    if (model == DVC_PEG || a->face_count + b->face_count < 2 || a->kind == DVC_PLANE || b->kind == DVC_PLANE) return false;
    return model != DVC_PEG_LITERAL || (a->kind != DVC_SPHERE && b->kind != DVC_SPHERE);
}

/* Facets and points of a pair whose boxes meet. */
static void dvci_visit_pair(dvci_step *s, int part_a, int part_b)
{
    dvci_group *g = dvci_open_group(s, part_a, part_b);
    dvci_couple c;
    const dvci_body *a, *b;
    dvc_real theta;
    dvci_set_couple(&c, s, g, false);
    a = &s->bodies[c.part[0]->body];
    b = &s->bodies[c.part[1]->body];
    c.drift[0] = dvci_scale(a->v_free, s->h);
    c.drift[1] = dvci_scale(b->v_free, s->h);
    c.spin[0] = dvci_scale(a->w_free, s->h);
    c.spin[1] = dvci_scale(b->w_free, s->h);
    theta = dvci_min(DVCI_R(0.1) + 2 * s->h * dvci_norm(dvci_sub(b->w_start, a->w_start)), DVCI_R(0.5));
    c.cosine = 1 - theta * theta / 2 * (1 - theta * theta / 12);
    g->cosine = c.cosine;
    if (dvci_pair_has_model(&c)) {
        dvci_pair_by_model(&c); /* opens groups of its own */
        return;
    }
    if (c.part[0]->kind == DVC_PLANE || c.part[1]->kind == DVC_PLANE) dvci_pair_plane(&c, c.part[0]->kind == DVC_PLANE ? 0 : 1);
    else if (c.part[0]->kind == DVC_SPHERE && c.part[1]->kind == DVC_SPHERE) dvci_pair_spheres(&c);
    else if (c.part[0]->kind == DVC_SPHERE || c.part[1]->kind == DVC_SPHERE)
        dvci_pair_sphere_polytope(&c, c.part[0]->kind == DVC_SPHERE ? 1 : 0);
    else dvci_pair_polytopes(&c);
    dvci_close_group(s, g);
}

/* ------------------------------------------------------------------------------------------------
 * >>stages  stages of the step that the user replaces
 * ------------------------------------------------------------------------------------------------
 * A contact of the user's becomes a group with one facet of one point. There is no geometry behind it: its gap elsewhere
 * is the gap given and the displacement along the normal given of the bodies' material there (>>end).
 */
#define DVCI_OWN 3u /* kind of feature */

static void dvci_add_own(dvci_step *s, int part_a, int part_b, dvc_feature feature, dvc_vec3 arm_a, dvc_vec3 arm_b,
                         dvc_vec3 normal, dvc_real gap)
{
    dvci_group *g = dvci_open_group(s, part_a, part_b);
    dvci_couple c;
    dvci_facet *facet;
    dvci_point *point;
    dvci_set_couple(&c, s, g, false);
    g->own = true;
    g->cosine = 1;
    facet = dvci_open_facet(&c, gap);
    facet->single = true;
    point = dvci_add_point(&c, arm_a, normal, gap, feature, feature);
    if (point) point->arm_b = arm_b;
    dvci_close_facet(&c, facet);
    dvci_close_group(s, g);
}

static void dvci_collide_own(dvci_step *s)
{
    dvc_collector out;
    out.step = s;
    DVC_STAGE("contacts");
    s->world->collide(s->world->user, s->world, s->h, &out);
}

DVC_API dvc_status dvc_contact_add(dvc_collector *out, int shape_a, int shape_b, int id, dvc_vec3 point, dvc_vec3 normal,
                                   dvc_real gap)
{
    dvci_step *s = out ? out->step : NULL;
    const dvc_world *world = s ? s->world : NULL;
    const dvci_body *a, *b;
    dvc_real off = dvci_dot(normal, normal) - 1;
    if (!world) return DVC_ERROR_NULL;
    if (id < 0 || id > DVC_FEATURE_INDEX(~0u) || shape_a < 0 || shape_b < 0 || shape_a >= world->shape_count
        || shape_b >= world->shape_count || shape_a == shape_b
        || !(dvci_abs(off) <= (DVCI_DOUBLE ? DVCI_R(1e-6) : DVCI_R(1e-4))) || !dvci_within_vec(point, DVC_LARGEST)
        || !dvci_within(gap, DVC_LARGEST))
        return s->status = DVC_ERROR_STAGE;
    if (shape_a > shape_b) {
        int swap = shape_a;
        shape_a = shape_b;
        shape_b = swap;
        normal = dvci_neg(normal);
    }
    if (!dvci_shape_present(world, shape_a) || !dvci_shape_present(world, shape_b)) return DVC_OK; /* as the built-in stage */
    dvci_part_meet(s, shape_a);
    dvci_part_meet(s, shape_b);
    if (!dvci_pair_allowed(s, shape_a, shape_b)) return DVC_OK;
    a = &s->bodies[world->shapes[shape_a].body];
    b = &s->bodies[world->shapes[shape_b].body];
    dvci_add_own(s, shape_a, shape_b, DVC_FEATURE(DVCI_OWN, id), dvci_sub(point, a->x), dvci_sub(point, b->x), normal, gap);
    return DVC_OK;
}

/* Gap of a point of the user's where its bodies end. */
static dvc_real dvci_own_gap(const dvci_step *s, const dvci_point *point)
{
    const dvci_group *g = &s->groups[point->group];
    const dvci_body *a = &s->bodies[s->parts[g->part_a].body], *b = &s->bodies[s->parts[g->part_b].body];
    dvc_vec3 way_a = dvci_sub(dvci_add(dvci_sub(a->end.x, a->x), dvci_mul(a->end.turn, point->arm_a)), point->arm_a);
    dvc_vec3 way_b = dvci_sub(dvci_add(dvci_sub(b->end.x, b->x), dvci_mul(b->end.turn, point->arm_b)), point->arm_b);
    return point->gap + dvci_dot(point->normal, dvci_sub(way_b, way_a));
}

/* The same contact where its bodies have come to: a half step goes on from there. */
DVCI_APART static void dvci_continue_own(dvci_step *s, const dvci_group *g)
{
    const dvci_point *point = &s->points[s->facets[g->first].first];
    const dvci_body *a = &s->bodies[s->parts[g->part_a].body], *b = &s->bodies[s->parts[g->part_b].body];
    dvc_vec3 way_a = dvci_sub(a->x, a->x_step), way_b = dvci_sub(b->x, b->x_step);
    dvc_vec3 arm_a = dvci_rotate(a->q, dvci_rotate(dvci_quat_conj(a->q_step), point->arm_a));
    dvc_vec3 arm_b = dvci_rotate(b->q, dvci_rotate(dvci_quat_conj(b->q_step), point->arm_b));
    dvc_real gap = point->gap + dvci_dot(point->normal, dvci_sub(dvci_add(way_b, dvci_sub(arm_b, point->arm_b)),
                                                                 dvci_add(way_a, dvci_sub(arm_a, point->arm_a))));
    dvci_add_own(s, g->part_a, g->part_b, point->feature_a, arm_a, arm_b, point->normal, gap);
}

static bool dvci_group_before(const dvci_group *a, const dvci_group *b)
{
    return a->part_a < b->part_a || (a->part_a == b->part_a && a->part_b < b->part_b);
}

/* Groups in the order of their shapes, whatever order the sweep met them in: `order` (group_count) lists them sorted. */
static void dvci_sort_groups(const dvci_step *s, int from, int *order, int *work)
{
    int count = s->group_count - from, width, start, i, k, m;
    for (i = 0; i < count; i++) order[i] = from + i;
    for (width = 1; width < count; width *= 2) {
        for (start = 0; start < count; start += 2 * width) {
            int middle = dvci_imin(start + width, count), end = dvci_imin(start + 2 * width, count);
            for (i = start, k = middle, m = start; m < end; m++) {
                bool left = k >= end || (i < middle && !dvci_group_before(&s->groups[order[k]], &s->groups[order[i]]));
                work[m] = left ? order[i++] : order[k++];
            }
        }
        memcpy(order, work, (size_t)count * sizeof *order);
    }
}

/* ------------------------------------------------------------------------------------------------
 * >>choose  which facet of a disjunction holds
 * ------------------------------------------------------------------------------------------------
 * The *value* of a facet is its gap at the end of the step under given velocities, over all vertices, linearised at the
 * start. A pair whose free motion leaves some value >= 0 does not collide; the largest facet is enforced and will carry
 * nothing. Else the pair hits, and of its facets the one that a continuous collision would hit is the one whose gap
 * crosses zero last. Crossing times are taken with the velocity before forces: with gravity in it every resting contact
 * would have been crossed at time 0.
 */
typedef enum dvci_velocity { DVCI_AT_START, DVCI_FREE, DVCI_NOW } dvci_velocity;

/* Displacement velocities of a body: v and the mean w. */
static void dvci_velocity_of(const dvci_body *body, dvci_velocity which, dvc_vec3 *v, dvc_vec3 *w)
{
    *v = which == DVCI_NOW ? body->v : which == DVCI_FREE ? body->v_free : body->v_start;
    *w = dvci_add(which == DVCI_NOW ? body->w : which == DVCI_FREE ? body->w_free : body->w_start, body->gyro);
}

typedef struct dvci_motion_pair {
    const dvci_part *part[2];
    const dvc_shape *shape[2];
    dvc_vec3 d, v[2], w[2]; /* centre of body 0 to that of body 1; velocities */
    dvc_real h;
} dvci_motion_pair;

static dvci_motion_pair dvci_group_motion(const dvci_step *s, const dvci_group *g, dvci_velocity which)
{
    dvci_motion_pair m;
    const dvci_body *a = &s->bodies[s->parts[g->part_a].body], *b = &s->bodies[s->parts[g->part_b].body];
    m.part[0] = &s->parts[g->part_a];
    m.part[1] = &s->parts[g->part_b];
    m.shape[0] = &s->world->shapes[g->part_a];
    m.shape[1] = &s->world->shapes[g->part_b];
    m.d = dvci_sub(b->x, a->x);
    m.h = s->h;
    dvci_velocity_of(a, which, &m.v[0], &m.w[0]);
    dvci_velocity_of(b, which, &m.v[1], &m.w[1]);
    return m;
}

/* Plane of a face of part `side` against all vertices of the other: a linear function of the vertex. */
static dvc_real dvci_face_value(const dvci_motion_pair *m, int side, int face, dvc_real h, int *vertex)
{
    const dvci_part *y = m->part[side], *x = m->part[1 - side];
    dvc_vec3 n = y->normals[face], d = side == 0 ? m->d : dvci_neg(m->d);
    dvc_vec3 direction = dvci_madd(n, dvci_cross(n, dvci_sub(m->w[1 - side], m->w[side])), h);
    dvc_real rate = dvci_dot(n, dvci_sub(dvci_sub(m->v[1 - side], m->v[side]), dvci_cross(m->w[side], d))), value;
    *vertex = dvci_lowest_vertex(x, direction, m->shape[1 - side], &value);
    return value + dvci_dot(n, d) - y->offsets[face] - x->skin + h * rate;
}

/* Gap of a pair of edges, whose normal is within theta of `near`. */
static dvc_real dvci_edge_value(const dvci_motion_pair *m, int edge_a, int edge_b, dvc_vec3 near, dvc_real h)
{
    dvc_vec3 p, q, u = dvci_edge_vector(m->part[0], edge_a, &p), v = dvci_edge_vector(m->part[1], edge_b, &q), n, va, vb;
    dvc_real s, t;
    q = dvci_add(q, m->d);
    if (!dvci_cross_lines(p, u, q, v, &s, &t)) return -DVC_INFINITY;
    n = dvci_unit(dvci_cross(u, v));
    if (dvci_dot(n, near) < 0) n = dvci_neg(n);
    p = dvci_madd(p, u, s);
    q = dvci_madd(q, v, t);
    va = dvci_add(m->v[0], dvci_cross(m->w[0], p));
    vb = dvci_add(m->v[1], dvci_cross(m->w[1], dvci_sub(q, m->d)));
    return dvci_dot(n, dvci_sub(q, p)) + h * dvci_dot(n, dvci_sub(vb, va));
}

static dvc_real dvci_point_value(const dvci_motion_pair *m, const dvci_point *point, dvc_real h)
{
    dvc_vec3 va = dvci_add(m->v[0], dvci_cross(m->w[0], point->arm_a)), vb = dvci_add(m->v[1], dvci_cross(m->w[1], point->arm_b));
    return point->gap + h * dvci_dot(point->normal, dvci_sub(vb, va));
}

/* The facet's gap after h: the best of what it contains, or the first that is `enough`. */
static dvc_real dvci_facet_value_until(const dvci_step *s, const dvci_motion_pair *m, const dvci_facet *f, dvc_real h,
                                       dvc_real enough)
{
    dvc_real value = -DVC_INFINITY;
    int i, vertex;
    if (f->single) return dvci_point_value(m, &s->points[f->first], h);
    if (f->face_a >= 0) value = dvci_face_value(m, 0, f->face_a, h, &vertex);
    if (f->face_b >= 0 && value < enough) value = dvci_max(value, dvci_face_value(m, 1, f->face_b, h, &vertex));
    for (i = 0; i < f->edge_count && value < enough; i++)
        value = dvci_max(value, dvci_edge_value(m, f->edge_a[i], f->edge_b[i], s->points[f->first].normal, h));
    return value;
}

static dvc_real dvci_facet_value(const dvci_step *s, const dvci_motion_pair *m, const dvci_facet *f, dvc_real h)
{
    return dvci_facet_value_until(s, m, f, h, DVC_INFINITY);
}

/* The least end gap of the facet's points: it is worse than the value when they do not span it. */
static dvc_real dvci_points_value(const dvci_step *s, const dvci_motion_pair *m, const dvci_facet *f)
{
    dvc_real value = DVC_INFINITY;
    int i;
    for (i = f->first; i < f->first + f->count; i++) value = dvci_min(value, dvci_point_value(m, &s->points[i], m->h));
    return value;
}

/* Would the free motion carry the pair through each other? Only possible for motions longer than the parts are thick.
 * Gaps are nearly linear in time: the pair is deepest where the last gap that closes meets the first that opens. */
static bool dvci_tunnels(const dvci_step *s, const dvci_group *g, const dvci_motion_pair *m)
{
    dvc_real thickness = m->part[0]->inner + m->part[1]->inner, close = 0, open = 1, time, best = -DVC_INFINITY;
    dvc_real closing[2] = { 0, 0 }, opening[2] = { 0, 0 }; /* gap now and its change */
    int f;
    if (!(dvci_norm(dvci_sub(m->v[1], m->v[0])) * m->h > thickness) || g->count < 2) return false;
    for (f = 0; f < g->count; f++) {
        dvc_real now = dvci_facet_value(s, m, &s->facets[g->first + f], 0),
                 change = dvci_facet_value(s, m, &s->facets[g->first + f], m->h) - now;
        if (dvci_abs(now) <= DVCI_GAP_CHECK * g->size) now = 0; /* touching */
        if (now >= 0 && change < -now && -now / change >= close) { close = -now / change; closing[0] = now; closing[1] = change; }
        if (now < 0 && change > -now && -now / change <= open) { open = -now / change; opening[0] = now; opening[1] = change; }
    }
    if (!(close < open) || opening[1] == 0 || closing[1] == 0) return false;
    time = (closing[0] - opening[0]) / (opening[1] - closing[1]) * m->h;
    for (f = 0; f < g->count; f++) best = dvci_max(best, dvci_facet_value(s, m, &s->facets[g->first + f], time));
    return best < -thickness / 4;
}

/* How late the facet's gap crosses zero: resting ones last, then by crossing time, then what was crossed before. */
static dvc_real dvci_crossing_score(const dvci_group *g, const dvci_facet *f, dvc_real at_start_velocity,
                                    dvc_real at_free_velocity)
{
    dvc_real open = dvci_max(f->gap, 0), lean = DVCI_R(1e-3) * dvci_clamp(at_free_velocity / g->size, -1, 1), score;
    if (at_start_velocity >= -DVCI_R(1e-9) * g->size) score = -1 + lean + (f->carried ? DVCI_R(1e-6) : 0);
    else if (open > 0) score = -2 + open / (open - at_start_velocity);
    else score = -3 + lean;
    if (f->shadow) score -= 1000;
    return score + (f->flush ? DVCI_R(2e-7) : f->face_a >= 0 || f->face_b >= 0 ? DVCI_R(1e-7) : 0);
}

static void dvci_choose_facet(const dvci_step *s, dvci_group *g)
{
    dvci_motion_pair free_motion, start_motion;
    dvc_real best = -DVC_INFINITY, open = -DVC_INFINITY;
    int f;
    bool collides, together;
    g->chosen = 0;
    if (g->count < 2 || g->literal) return;
    free_motion = dvci_group_motion(s, g, DVCI_FREE);
    start_motion = dvci_group_motion(s, g, DVCI_AT_START);
    together = dvci_norm(dvci_sub(start_motion.v[1], start_motion.v[0])) * s->h <= DVCI_R(1e-3) * g->size;
    for (f = 0; f < g->count; f++) {
        const dvci_facet *facet = &s->facets[g->first + f];
        dvc_real value = dvci_facet_value(s, &free_motion, facet, s->h);
        open = dvci_max(open, value);
        if (facet->carried && together) value += DVCI_R(1e-6) * g->size; /* what falls together may stand on each other */
        if (value > best) { best = value; g->chosen = f; }
    }
    collides = open < 0 || dvci_tunnels(s, g, &free_motion);
    if (!collides) return;
    for (best = -DVC_INFINITY, f = 0; f < g->count; f++) {
        const dvci_facet *facet = &s->facets[g->first + f];
        dvc_real score = dvci_crossing_score(g, facet, dvci_facet_value(s, &start_motion, facet, s->h),
                                             dvci_facet_value(s, &free_motion, facet, s->h));
        if (score > best) { best = score; g->chosen = f; }
    }
}

/* ------------------------------------------------------------------------------------------------
 * >>joint  joints, springs, supports: what ties bodies without touching
 * ------------------------------------------------------------------------------------------------
 * Each of them is a *link* with a few rows. A row is a direction of force at the start of the step and a value (a length or an
 * angle) with a target at its end; in the problem of the island it stands beside the contacts' rows:
 *
 *     HOLD          value = target, any impulse             LOWER, UPPER   value beyond target, impulse >= 0, complementary
 *     MOTOR, RUB    value = target within +-bound h         YIELD, SLIDE   dampers, friction on the table: velocity rows
 *
 * A joint's frames are made from the poses of its bodies, the rows from the frames: ALONG an axis of frame a, TILT of the two
 * z axes against each other, TWIST of all three, TURN about z. In a planar world rows that act out of the plane vanish.
 *
 * Values hold at the end pose: the same Newton rounds that close the contacts' gaps (>>end) solve value = target there, while
 * forces keep the directions of the start. This alone is not stable where a light body is pulled so hard that it would swing
 * faster than the step can follow (a chain with a heavy end). The torque of the joints' forces F at arms r changes with a turn
 * of the body by -K, K = sum of (r . F) 1 - sym(r F'); such a body is *stiff*, and turns as if its inertia were
 *
 *     J_eff = J^1/2 max(1, 2 h^2 J^-1/2 K J^-1/2) J^1/2,
 *
 * which is J where a step resolves the swing. What is added to J lets the body follow not its own spin but half of its stiff
 * neighbours': that takes the zigzag of a taut chain, which no step resolves, and leaves a common swing alone. (Measured: with
 * h^2 / 2 in place of 2 h^2, or without the neighbours, a chain with a load of 1000 at h = .005 needs half steps or gains energy;
 * with the spin itself damped it loses 5 % in 5 s.) Added inertia is a torque on single bodies: where it acts, angular momentum
 * is kept to first order only.
 */
typedef enum dvci_way {
    DVCI_ALONG_X, DVCI_ALONG_Y, DVCI_ALONG_Z, DVCI_TILT_X, DVCI_TILT_Y, DVCI_TWIST_X, DVCI_TWIST_Y, DVCI_TWIST_Z, DVCI_TURN,
    DVCI_NO_WAY
} dvci_way;

#define DVCI_JOINT_ROWS 12
#define DVCI_SPRING_ROWS 3
#define DVCI_MOST_ROWS (1 << 26) /* of a problem: what is counted in int, and by 24 per row, does not overflow */

/* Segments of the friction pyramid at a support. */
static int dvci_support_segments(const dvc_world *world)
{
    return world->friction_directions > 2 ? (world->friction_directions + 1) / 2 : 4;
}

static size_t dvci_link_row_limit(const dvc_world *world)
{
    size_t supports = 0;
    int i = dvci_terrain_bodies(world);
    for (; world->planar && i < world->body_count; i++) supports += world->bodies[i].support != NULL;
    supports = dvci_times(supports, 3 * (size_t)dvci_support_segments(world));
    if (supports > DVCI_MOST_ROWS) return (size_t)-1;
    return (size_t)world->joint_count * DVCI_JOINT_ROWS + (size_t)world->spring_count * DVCI_SPRING_ROWS + supports;
}

/* A joint's frames where its bodies are: axes by rows; arms from both centres to anchor b, where forces act on both bodies;
 * `gap` leads from anchor a to anchor b. */
typedef struct dvci_hinge {
    dvci_mat3 a, b;
    dvc_vec3 arm_a, arm_b, gap;
} dvci_hinge;

static dvci_hinge dvci_hinge_at(const dvc_joint *joint, dvc_vec3 xa, dvc_quat qa, dvc_vec3 xb, dvc_quat qb)
{
    dvci_hinge hinge;
    dvc_vec3 to_a = dvci_rotate(qa, joint->anchor_a);
    hinge.a = dvci_transpose(dvci_quat_matrix(dvci_quat_mul(qa, dvci_quat_unit(joint->frame_a))));
    hinge.b = dvci_transpose(dvci_quat_matrix(dvci_quat_mul(qb, dvci_quat_unit(joint->frame_b))));
    hinge.arm_b = dvci_rotate(qb, joint->anchor_b);
    hinge.gap = dvci_sub(dvci_add(dvci_sub(xb, xa), hinge.arm_b), to_a);
    hinge.arm_a = dvci_add(to_a, hinge.gap);
    return hinge;
}

static dvci_hinge dvci_hinge_of(const dvci_step *s, const dvci_link *link, bool at_end)
{
    const dvci_body *a = &s->bodies[link->body_a], *b = &s->bodies[link->body_b];
    const dvc_joint *joint = &s->world->joints[link->index];
    return at_end ? dvci_hinge_at(joint, a->end.x, a->q_end, b->end.x, b->q_end) : dvci_hinge_at(joint, a->x, a->q, b->x, b->q);
}

static dvc_vec3 dvci_mat_row(const dvci_mat3 *m, int k) { return k == 0 ? m->x : k == 1 ? m->y : m->z; }

/* The angle of frame b against frame a about z: of all that differ by full turns the one nearest to `near`. */
static dvc_real dvci_hinge_turn(const dvci_hinge *hinge, dvc_real near)
{
    dvc_real angle = dvci_atan2(dvci_dot(hinge->b.x, hinge->a.y), dvci_dot(hinge->b.x, hinge->a.x));
    dvc_real turns = (near - angle) / (2 * DVCI_PI);
    turns += turns < 0 ? DVCI_R(-0.5) : DVCI_R(0.5);
    return dvci_abs(turns) < DVCI_R(1e9) ? angle + 2 * DVCI_PI * (dvc_real)(long long)turns : angle;
}

/* The value that a way measures. Its rate is row_v . (v_b - v_a) + row_a . w_a + row_b . w_b. */
static dvc_real dvci_measure_way(const dvci_hinge *hinge, dvci_way way, dvc_real near, dvc_vec3 *row_v, dvc_vec3 *row_a,
                                 dvc_vec3 *row_b)
{
    const dvci_mat3 *a = &hinge->a, *b = &hinge->b;
    dvc_vec3 e, twist;
    dvc_real value;
    *row_v = dvci_vec(0, 0, 0);
    if (way <= DVCI_ALONG_Z) {
        e = dvci_mat_row(a, (int)way - DVCI_ALONG_X);
        *row_v = e;
        *row_a = dvci_neg(dvci_cross(hinge->arm_a, e));
        *row_b = dvci_cross(hinge->arm_b, e);
        return dvci_dot(e, hinge->gap);
    }
    if (way == DVCI_TILT_X) {
        e = dvci_cross(a->y, b->z);
        value = -dvci_dot(a->y, b->z);
    } else if (way == DVCI_TILT_Y) {
        e = dvci_cross(b->z, a->x);
        value = dvci_dot(a->x, b->z);
    } else if (way <= DVCI_TWIST_Z) {
        e = dvci_mat_row(a, (int)way - DVCI_TWIST_X);
        twist = dvci_add(dvci_add(dvci_cross(a->x, b->x), dvci_cross(a->y, b->y)), dvci_cross(a->z, b->z));
        value = dvci_dot(e, twist) / 2;
    } else {
        e = a->z;
        value = dvci_hinge_turn(hinge, near);
    }
    *row_b = e;
    *row_a = dvci_neg(e);
    return value;
}

/* Ways that a kind of joint holds. */
static const dvci_way *dvci_held_ways(dvc_joint_kind kind)
{
    static const dvci_way fixed[] = { DVCI_ALONG_X, DVCI_ALONG_Y, DVCI_ALONG_Z, DVCI_TWIST_X, DVCI_TWIST_Y, DVCI_TWIST_Z,
                                      DVCI_NO_WAY };
    static const dvci_way revolute[] = { DVCI_ALONG_X, DVCI_ALONG_Y, DVCI_ALONG_Z, DVCI_TILT_X, DVCI_TILT_Y, DVCI_NO_WAY };
    static const dvci_way prismatic[] = { DVCI_ALONG_X, DVCI_ALONG_Y, DVCI_TWIST_X, DVCI_TWIST_Y, DVCI_TWIST_Z, DVCI_NO_WAY };
    static const dvci_way cylindrical[] = { DVCI_ALONG_X, DVCI_ALONG_Y, DVCI_TILT_X, DVCI_TILT_Y, DVCI_NO_WAY };
    static const dvci_way spherical[] = { DVCI_ALONG_X, DVCI_ALONG_Y, DVCI_ALONG_Z, DVCI_NO_WAY };
    return kind == DVC_FIXED       ? fixed
           : kind == DVC_REVOLUTE  ? revolute
           : kind == DVC_PRISMATIC ? prismatic
           : kind == DVC_SPHERICAL ? spherical
                                   : cylindrical;
}

static bool dvci_joint_turns(dvc_joint_kind kind) { return kind == DVC_REVOLUTE || kind == DVC_CYLINDRICAL; }
static bool dvci_joint_slides(dvc_joint_kind kind) { return kind == DVC_PRISMATIC || kind == DVC_CYLINDRICAL; }

/* Rate of a row from bodies that are not dynamic. */
static dvc_real dvci_link_given(const dvci_step *s, const dvci_link *link, const dvci_link_row *row)
{
    const dvci_body *a = link->body_a >= 0 ? &s->bodies[link->body_a] : NULL, *b = &s->bodies[link->body_b];
    dvc_real rate = 0;
    if (a && !a->dynamic) rate += dvci_dot(row->row_a, dvci_given_w(s, a)) - dvci_dot(row->row_v, dvci_given_v(s, a));
    if (!b->dynamic) rate += dvci_dot(row->row_b, dvci_given_w(s, b)) + dvci_dot(row->row_v, dvci_given_v(s, b));
    return rate;
}

/* Rate of a row from dynamic bodies as they move now. */
static dvc_real dvci_link_rate(const dvci_step *s, const dvci_link *link, const dvci_link_row *row)
{
    const dvci_body *a = link->body_a >= 0 ? &s->bodies[link->body_a] : NULL, *b = &s->bodies[link->body_b];
    dvc_real rate = 0;
    if (a && a->dynamic) rate += dvci_dot(row->row_a, dvci_add(a->w, a->gyro)) - dvci_dot(row->row_v, a->v);
    if (b->dynamic) rate += dvci_dot(row->row_b, dvci_add(b->w, b->gyro)) + dvci_dot(row->row_v, b->v);
    return rate;
}

/* A new row at the end of the link's; what the last step or half step left in its place (mode, total) stays. */
static dvci_link_row *dvci_add_link_row(dvci_step *s, dvci_link *link, dvci_link_role role, dvci_way way)
{
    dvci_link_row *row = &s->link_rows[link->first + link->count++];
    row->link = (int)(link - s->links);
    row->role = (unsigned char)role;
    row->way = (unsigned char)way;
    row->lower = -DVC_INFINITY;
    row->upper = DVC_INFINITY;
    row->compliance = row->off = row->impulse = 0;
    row->spare = false;
    return row;
}

/* In a planar world a row counts if it acts in the plane. */
static bool dvci_row_in_plane(const dvci_link_row *row)
{
    return dvci_zero_vec(row->row_v) ? dvci_abs(row->row_b.z) > DVCI_R(0.5) : dvci_abs(row->row_v.z) < DVCI_R(0.5);
}

static dvc_real dvci_role_sign(const dvci_link_row *row) { return row->role == DVCI_UPPER ? DVCI_R(-1.0) : DVCI_R(1.0); }

/* The row of a joint at the start of the step, its impulse within [lower, upper]. Error that is there is made good no faster
 * than overlap is. */
static void dvci_start_joint_row(dvci_step *s, dvci_link *link, const dvci_hinge *hinge, dvci_link_role role, dvci_way way,
                                 dvc_real target, dvc_real lower, dvc_real upper)
{
    dvci_link_row *row = dvci_add_link_row(s, link, role, way);
    dvc_real sign = dvci_role_sign(row), most = dvci_recovery_speed(s, link->size) * s->h, off;
    row->start = dvci_measure_way(hinge, way, link->turn, &row->row_v, &row->row_a, &row->row_b);
    if (s->world->planar && !dvci_row_in_plane(row)) {
        link->count--;
        return;
    }
    row->row_v = dvci_scale(row->row_v, sign);
    row->row_a = dvci_scale(row->row_a, sign);
    row->row_b = dvci_scale(row->row_b, sign);
    row->lower = lower;
    row->upper = upper;
    row->force_v = row->row_v;
    row->force_a = row->row_a;
    row->force_b = row->row_b;
    off = sign * (row->start - target);
    if (role == DVCI_HOLD) off -= dvci_clamp(off, -most, most);
    else if (role == DVCI_LOWER || role == DVCI_UPPER) off = dvci_min(off + most, 0);
    else off = 0;
    row->target = target + sign * off;
    row->rate = sign * (row->start - row->target) / s->h + dvci_link_given(s, link, row);
}

/* An effort over the step. */
static dvc_real dvci_most_impulse(const dvci_step *s, dvc_real effort)
{
    return effort >= DVC_INFINITY ? DVC_INFINITY : effort * dvci_kick(s);
}

/* Motor, dry friction and limits of one freedom. A motor that is to stand still and friction are one brake. */
static void dvci_start_axis(dvci_step *s, dvci_link *link, const dvci_hinge *hinge, const dvc_axis *axis, dvci_way way,
                            dvc_real position)
{
    bool brakes = axis->speed == 0;
    dvc_real drive = dvci_most_impulse(s, axis->effort);
    dvc_real brake = dvci_most_impulse(s, axis->friction + (brakes ? axis->effort : 0));
    dvc_real aim = position + s->h * axis->speed;
    if (axis->limited) aim = dvci_clamp(aim, axis->lower, axis->upper); /* limits are stronger than any motor */
    if (!brakes && drive > 0) dvci_start_joint_row(s, link, hinge, DVCI_MOTOR, way, aim, -drive, drive);
    if (brake > 0) dvci_start_joint_row(s, link, hinge, DVCI_RUB, way, position, -brake, brake);
    if (!axis->limited) return;
    if (!dvci_no_bound(axis->lower)) dvci_start_joint_row(s, link, hinge, DVCI_LOWER, way, axis->lower, 0, DVC_INFINITY);
    if (!dvci_no_bound(axis->upper)) dvci_start_joint_row(s, link, hinge, DVCI_UPPER, way, axis->upper, 0, DVC_INFINITY);
}

/* Length scale of a link: how far its dynamic bodies reach. */
static dvc_real dvci_link_size(const dvci_step *s, const dvci_link *link, dvc_vec3 arm_a, dvc_vec3 arm_b)
{
    const dvci_body *a = link->body_a >= 0 ? &s->bodies[link->body_a] : NULL, *b = &s->bodies[link->body_b];
    dvc_real size = b->dynamic ? dvci_max(b->reach, dvci_norm(arm_b)) : 0;
    if (a && a->dynamic) size = dvci_max(size, dvci_max(a->reach, dvci_norm(arm_a)));
    return size > 0 ? size : 1;
}

static void dvci_start_joint(dvci_step *s, dvci_link *link)
{
    const dvc_joint *joint = &s->world->joints[link->index];
    const dvci_way *way;
    dvci_hinge hinge = dvci_hinge_of(s, link, false);
    link->size = dvci_link_size(s, link, hinge.arm_a, hinge.arm_b);
    link->turn = dvci_hinge_turn(&hinge, link->turn_end);
    link->slide = dvci_dot(hinge.a.z, hinge.gap);
    for (way = dvci_held_ways(joint->kind); *way != DVCI_NO_WAY; way++)
        dvci_start_joint_row(s, link, &hinge, DVCI_HOLD, *way, 0, -DVC_INFINITY, DVC_INFINITY);
    if (dvci_joint_turns(joint->kind)) dvci_start_axis(s, link, &hinge, &joint->turn, DVCI_TURN, link->turn);
    if (dvci_joint_slides(joint->kind)) dvci_start_axis(s, link, &hinge, &joint->slide, DVCI_ALONG_Z, link->slide);
}

/* ---- springs ----
 * Half of what they pull in a step is that of its start, half that of its end, which keeps energy as long as a step resolves the
 * oscillation. Beyond that (kappa = k h^2 / m > 2) a part theta of each half gives way to the velocity that it leads to: with
 * theta = 1 - 2 / kappa what a step cannot follow dies out, the faster the stiffer, and any stiffness is stable. (Semi-implicit
 * steps pull as at the start, and beyond kappa = 4 with theta = 1/2 - 2 / kappa.) Damping is always that of the end. Both parts at the end are one YIELD row: velocity along the spring + compliance impulse = 0.
 */
typedef struct dvci_pull {
    dvc_vec3 arm_a, arm_b, along; /* unit, from a to b */
    dvc_real length;
    dvc_real mobility_a, mobility_b;
} dvci_pull;

static dvc_real dvci_mobility(const dvci_body *body, dvc_vec3 arm, dvc_vec3 along)
{
    dvc_vec3 moment = dvci_cross(arm, along);
    return body->dynamic ? body->inverse_mass + dvci_dot(moment, dvci_mul(body->inverse_inertia, moment)) : 0;
}

static dvci_pull dvci_pull_of(const dvci_step *s, const dvc_spring *spring)
{
    const dvci_body *a = &s->bodies[spring->body_a], *b = &s->bodies[spring->body_b];
    dvci_pull pull;
    dvc_vec3 gap;
    pull.arm_a = dvci_rotate(a->q, spring->anchor_a);
    pull.arm_b = dvci_rotate(b->q, spring->anchor_b);
    gap = dvci_flat(dvci_sub(dvci_add(dvci_sub(b->x, a->x), pull.arm_b), pull.arm_a), s->world->planar);
    pull.length = dvci_norm(gap);
    pull.along = dvci_unit(gap);
    pull.mobility_a = dvci_mobility(a, pull.arm_a, pull.along);
    pull.mobility_b = dvci_mobility(b, pull.arm_b, pull.along);
    return pull;
}

static bool dvci_spring_present(const dvc_world *world, const dvc_spring *spring)
{
    return !spring->disabled && (spring->stiffness > 0 || spring->damping > 0) && !world->bodies[spring->body_a].disabled
        && !world->bodies[spring->body_b].disabled;
}

/* The part of a stiffness that is taken at the end; `pulled` is the larger one of its bodies. */
static dvc_real dvci_end_part(const dvci_step *s, dvc_real pulled)
{
    dvc_real kappa = 2 * s->h * s->h * pulled;
    if (s->at_end) return kappa > 2 ? 1 - 2 / kappa : 0;
    return kappa > 4 ? DVCI_R(0.5) - 2 / kappa : 0;
}

/* A row that gives way at `rate` (N s/m) along a direction. */
static void dvci_start_yield(dvci_step *s, dvci_link *link, const dvci_pull *pull, dvc_vec3 along, dvc_real rate)
{
    dvci_link_row *row;
    if (!(rate > 0) || dvci_zero_vec(along)) return;
    row = dvci_add_link_row(s, link, DVCI_YIELD, DVCI_NO_WAY);
    row->row_v = row->force_v = along;
    row->row_a = row->force_a = dvci_neg(dvci_cross(pull->arm_a, along));
    row->row_b = row->force_b = dvci_cross(pull->arm_b, along);
    row->compliance = 1 / (dvci_kick(s) * rate);
    row->rate = dvci_link_given(s, link, row);
}

/* Forces across the spring's line act on both bodies at the end that gives way more: at different points they would be a couple. */
static void dvci_pull_at_one_end(dvci_pull *pull)
{
    if (pull->mobility_a > pull->mobility_b) pull->arm_b = dvci_madd(pull->arm_b, pull->along, -pull->length);
    else pull->arm_a = dvci_madd(pull->arm_a, pull->along, pull->length);
}

/* Along the spring, and across it, where a taut one is stiff by tension / length. */
static void dvci_start_spring(dvci_step *s, dvci_link *link)
{
    const dvc_spring *spring = &s->world->springs[link->index];
    dvci_pull pull = dvci_pull_of(s, spring);
    dvc_real pulled = dvci_max(s->bodies[link->body_a].pulled, s->bodies[link->body_b].pulled), across = 0, share;
    dvc_vec3 side, up;
    link->size = dvci_link_size(s, link, pull.arm_a, pull.arm_b);
    link->along = pull.along;
    link->pull = spring->stiffness * (pull.length - spring->length);
    dvci_start_yield(s, link, &pull, pull.along, dvci_end_part(s, pulled) * spring->stiffness * s->h + spring->damping);
    if (pull.length > 0 && link->pull > 0) across = link->pull / pull.length;
    share = dvci_end_part(s, pulled * across / dvci_max(spring->stiffness, across));
    if (!(share > 0)) return;
    dvci_pull_at_one_end(&pull);
    dvci_tangents(pull.along, &side, &up);
    if (s->world->planar) side = dvci_vec(-pull.along.y, pull.along.x, 0);
    dvci_start_yield(s, link, &pull, side, share * across * s->h);
    if (!s->world->planar) dvci_start_yield(s, link, &pull, up, share * across * s->h);
}

/* Rows of a spring where its bodies are now; its pull becomes the mean one. */
static void dvci_spring_to_end(dvci_step *s, dvci_link *link)
{
    const dvc_spring *spring = &s->world->springs[link->index];
    dvci_pull pull = dvci_pull_of(s, spring);
    dvc_vec3 way[3];
    int k;
    way[0] = pull.along;
    dvci_tangents(pull.along, &way[1], &way[2]);
    if (s->world->planar) way[1] = dvci_vec(-pull.along.y, pull.along.x, 0);
    link->pull = (link->pull + spring->stiffness * (pull.length - spring->length)) / 2;
    for (k = 0; k < link->count; k++) {
        dvci_link_row *row = &s->link_rows[link->first + k];
        if (k == 1) dvci_pull_at_one_end(&pull);
        row->force_v = way[k];
        row->force_a = dvci_neg(dvci_cross(pull.arm_a, way[k]));
        row->force_b = dvci_cross(pull.arm_b, way[k]);
    }
}

/* ---- supports (2.5D) ---- */

/* How the weight is shared (B 3.24): what makes the centre of mass, at 0, of the three points. False: it lies outside. */
static bool dvci_support_shares(const dvc_support *support, dvc_real share[3])
{
    const dvc_vec2 *p = support->points;
    dvc_real whole = (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[1].y - p[0].y) * (p[2].x - p[0].x);
    int i;
    bool inside = whole != 0;
    for (i = 0; i < 3; i++) {
        const dvc_vec2 *q = &p[(i + 1) % 3], *r = &p[(i + 2) % 3];
        share[i] = inside ? (q->x * r->y - q->y * r->x) / whole : 0;
        inside = inside && share[i] >= DVCI_R(-1e-9);
        share[i] = dvci_max(share[i], 0);
    }
    return inside;
}

/* Friction within the pyramid over each point's share of the weight; the first direction opposes the slip of free motion. */
static void dvci_start_support(dvci_step *s, dvci_link *link)
{
    const dvci_body *body = &s->bodies[link->body_b];
    const dvc_body *user = &s->world->bodies[link->index];
    int segments = dvci_support_segments(s->world), i, k;
    dvc_real share[3], sine, cosine;
    dvci_support_shares(user->support, share);
    link->size = dvci_max(body->reach, DVCI_R(1e-9));
    for (i = 0; i < 3; i++) {
        dvc_vec3 arm = dvci_rotate(body->q, dvci_vec(user->support->points[i].x, user->support->points[i].y, 0));
        dvc_vec3 slip = dvci_add(body->v_free, dvci_cross(body->w_free, arm)), back = dvci_neg(dvci_unit(slip));
        dvc_real most = share[i] * user->mass * dvci_abs(s->world->gravity.z) * user->support->friction * dvci_kick(s);
        if (dvci_zero_vec(back)) back = dvci_vec(1, 0, 0);
        for (k = 0; k < segments; k++) {
            dvci_link_row *row = dvci_add_link_row(s, link, DVCI_SLIDE, DVCI_NO_WAY);
            dvci_sin_cos(DVCI_PI * (dvc_real)(2 * k + 1) / (dvc_real)(2 * segments) + DVCI_PI / 2, &sine, &cosine);
            row->force_v = dvci_vec(cosine * back.x - sine * back.y, cosine * back.y + sine * back.x, 0);
            row->force_a = dvci_vec(0, 0, 0);
            row->force_b = dvci_cross(arm, row->force_v);
            row->row_v = row->force_v;
            row->row_a = row->force_a;
            row->row_b = row->force_b;
            row->rate = 0;
            dvci_sin_cos(DVCI_PI / (dvc_real)(2 * segments), &sine, &cosine);
            row->upper = most * sine;
            row->lower = -row->upper;
        }
    }
}

/* Rows of a link where its bodies start. */
static void dvci_start_link(dvci_step *s, dvci_link *link)
{
    link->count = 0;
    link->early = link->early_angular = dvci_vec(0, 0, 0);
    if (link->kind == DVCI_LINK_JOINT) dvci_start_joint(s, link);
    else if (link->kind == DVCI_LINK_SPRING) dvci_start_spring(s, link);
    else dvci_start_support(s, link);
}

static void dvci_open_link(dvci_step *s, dvci_link_kind kind, int index, int body_a, int body_b, int rows)
{
    dvci_link *link = &s->links[s->link_count];
    const dvc_joint *joint = kind == DVCI_LINK_JOINT ? &s->world->joints[index] : NULL;
    uint32_t warm = joint ? joint->warm : 0;
    int k;
    if (!s->bodies[body_b].dynamic && (body_a < 0 || !s->bodies[body_a].dynamic)) return;
    memset(link, 0, sizeof *link);
    link->kind = kind;
    link->index = index;
    link->body_a = body_a;
    link->body_b = body_b;
    link->first = s->link_row_count;
    link->turn_end = joint ? joint->turn.position : 0;
    memset(&s->link_rows[link->first], 0, (size_t)rows * sizeof *s->link_rows);
    for (k = 0; k < rows; k++)
        s->link_rows[link->first + k].mode = (signed char)(warm >> 31 ? (int)(warm >> (2 * k) & 3u) - 1 : 2);
    s->link_row_count += rows;
    s->link_count++;
}

static void dvci_load_links(dvci_step *s)
{
    const dvc_world *world = s->world;
    int i;
    s->link_count = s->link_row_count = 0;
    for (i = 0; i < world->joint_count; i++)
        if (dvci_joint_present(world, &world->joints[i]))
            dvci_open_link(s, DVCI_LINK_JOINT, i, world->joints[i].body_a, world->joints[i].body_b, DVCI_JOINT_ROWS);
    for (i = 0; i < world->spring_count; i++)
        if (dvci_spring_present(world, &world->springs[i]))
            dvci_open_link(s, DVCI_LINK_SPRING, i, world->springs[i].body_a, world->springs[i].body_b,
                           DVCI_SPRING_ROWS);
    for (i = s->first_body; world->planar && i < world->body_count; i++)
        if (s->bodies[i].present && world->bodies[i].support)
            dvci_open_link(s, DVCI_LINK_SUPPORT, i, -1, i, 3 * dvci_support_segments(world));
    for (i = 0; i < s->link_count; i++) dvci_start_link(s, &s->links[i]);
}

/* ---- forces of links: what acts as a force, before anything is solved ---- */

static void dvci_add_force(dvci_body *body, dvc_vec3 arm, dvc_vec3 force, dvc_vec3 torque)
{
    if (!body->dynamic) return;
    body->force = dvci_add(body->force, force);
    body->torque = dvci_add(body->torque, dvci_add(torque, dvci_cross(arm, force)));
}

/* The user's force along a joint's freedoms. */
static void dvci_joint_force(dvci_step *s, const dvc_joint *joint)
{
    dvci_body *a = &s->bodies[joint->body_a], *b = &s->bodies[joint->body_b];
    dvci_hinge hinge;
    dvc_vec3 force, torque;
    if (joint->turn.force == 0 && joint->slide.force == 0) return;
    hinge = dvci_hinge_at(joint, a->x, a->q, b->x, b->q);
    force = dvci_scale(hinge.a.z, dvci_joint_slides(joint->kind) ? joint->slide.force : 0);
    torque = dvci_scale(hinge.a.z, dvci_joint_turns(joint->kind) ? joint->turn.force : 0);
    dvci_add_force(b, hinge.arm_b, force, torque);
    dvci_add_force(a, hinge.arm_a, dvci_neg(force), dvci_neg(torque));
}

static void dvci_spring_force(dvci_step *s, const dvc_spring *spring)
{
    dvci_pull pull = dvci_pull_of(s, spring);
    dvc_vec3 force = dvci_scale(pull.along, -spring->stiffness * (pull.length - spring->length)), none = dvci_vec(0, 0, 0);
    dvci_add_force(&s->bodies[spring->body_b], pull.arm_b, force, none);
    dvci_add_force(&s->bodies[spring->body_a], pull.arm_a, dvci_neg(force), none);
    s->bodies[spring->body_a].pulled += spring->stiffness * pull.mobility_a;
    s->bodies[spring->body_b].pulled += spring->stiffness * pull.mobility_b;
}

static void dvci_user_force(dvci_step *s, int index)
{
    const dvc_body *user = &s->world->bodies[index];
    dvci_body *body = &s->bodies[index];
    body->pulled = 0;
    body->force = dvci_flat(user->force, s->world->planar);
    body->torque = s->world->planar ? dvci_vec(0, 0, user->torque.z) : user->torque;
}

/* All forces of the world's start. */
static void dvci_load_forces(dvci_step *s)
{
    const dvc_world *world = s->world;
    int i;
    for (i = s->first_body; i < world->body_count; i++) dvci_user_force(s, i);
    for (i = 0; i < world->joint_count; i++)
        if (dvci_joint_present(world, &world->joints[i])) dvci_joint_force(s, &world->joints[i]);
    for (i = 0; i < world->spring_count; i++)
        if (dvci_spring_present(world, &world->springs[i])) dvci_spring_force(s, &world->springs[i]);
}

static dvci_link *dvci_island_link(const dvci_step *s, const dvci_island *island, int i)
{
    return &s->links[s->island_links[island->first_link + i]];
}

/* The same for an island that goes on from where it is. */
static void dvci_island_forces(dvci_step *s, const dvci_island *island)
{
    int i;
    for (i = 0; i < island->body_count; i++) dvci_user_force(s, s->island_bodies[island->first_body + i]);
    for (i = 0; i < island->link_count; i++) {
        const dvci_link *link = dvci_island_link(s, island, i);
        if (link->kind == DVCI_LINK_JOINT) dvci_joint_force(s, &s->world->joints[link->index]);
        if (link->kind == DVCI_LINK_SPRING) dvci_spring_force(s, &s->world->springs[link->index]);
    }
}

/* ---- links at the end pose ---- */

/* How far a row's value at the end is from what it should be, where that is a fault. */
static dvc_real dvci_row_off(const dvci_link_row *row, dvc_real past)
{
    if (row->role == DVCI_HOLD) return dvci_abs(past);
    if (row->role == DVCI_LOWER || row->role == DVCI_UPPER) return row->impulse > 0 ? dvci_abs(past) : dvci_max(-past, 0);
    return row->impulse > row->lower && row->impulse < row->upper ? dvci_abs(past) : 0;
}

/* Measures a link at the end pose; returns its worst fault, lengths per size. */
static dvc_real dvci_measure_link(dvci_step *s, dvci_link *link)
{
    dvc_real worst = 0, past;
    dvci_hinge hinge;
    dvc_vec3 row_v, row_a, row_b;
    int k;
    if (link->kind != DVCI_LINK_JOINT) return 0;
    hinge = dvci_hinge_of(s, link, true);
    row_v = dvci_sub(s->bodies[link->body_b].w, s->bodies[link->body_a].w);
    link->turn_end = dvci_hinge_turn(&hinge, link->turn + s->h * dvci_dot(hinge.a.z, row_v));
    for (k = link->first; k < link->first + link->count; k++) {
        dvci_link_row *row = &s->link_rows[k];
        past = dvci_measure_way(&hinge, (dvci_way)row->way, link->turn_end, &row_v, &row_a, &row_b) - row->target;
        row->off = dvci_row_off(row, dvci_role_sign(row) * past);
        worst = dvci_max(worst, dvci_zero_vec(row_v) ? row->off : row->off / link->size);
    }
    return worst;
}

/* The row at the end pose, as dvci_point_end_row has it for points. */
static void dvci_link_end_row(dvci_step *s, const dvci_link *link, const dvci_hinge *hinge, dvci_link_row *row, bool at_end,
                              bool on_top)
{
    dvc_real past;
    dvc_vec3 row_v, row_a, row_b;
    row->row_v = row->force_v;
    row->row_a = row->force_a;
    row->row_b = row->force_b;
    if (row->way == DVCI_NO_WAY) {
        row->rate = dvci_link_given(s, link, row);
        if (on_top) row->rate += dvci_link_rate(s, link, row) + row->compliance * row->impulse;
        return;
    }
    past = dvci_measure_way(hinge, (dvci_way)row->way, link->turn_end, &row_v, &row_a, &row_b) - row->target;
    if (at_end) {
        row->row_v = dvci_scale(row_v, dvci_role_sign(row));
        row->row_a = dvci_scale(dvci_tmul(s->bodies[link->body_a].lever, row_a), dvci_role_sign(row));
        row->row_b = dvci_scale(dvci_tmul(s->bodies[link->body_b].lever, row_b), dvci_role_sign(row));
    }
    row->rate = dvci_role_sign(row) * past / s->h;
    if (!on_top) row->rate -= dvci_link_rate(s, link, row);
}

static void dvci_linearise_links(dvci_step *s, const dvci_island *island, bool at_end, bool on_top)
{
    int i, k;
    for (i = 0; i < island->link_count; i++) {
        const dvci_link *link = dvci_island_link(s, island, i);
        dvci_hinge hinge;
        memset(&hinge, 0, sizeof hinge);
        if (link->kind == DVCI_LINK_JOINT) hinge = dvci_hinge_of(s, link, true);
        for (k = link->first; k < link->first + link->count; k++) {
            if (s->link_rows[k].spare) s->link_rows[k].impulse = 0; /* others carry it from now on */
            dvci_link_end_row(s, link, &hinge, &s->link_rows[k], at_end, on_top);
        }
    }
}

/* ---- effective inertia ---- */

/* d m d for a diagonal d. */
static dvci_mat3 dvci_scale_both(dvci_mat3 m, dvc_vec3 d)
{
    dvci_mat3 by = dvci_diagonal(d.x, d.y, d.z);
    return dvci_matmul(dvci_matmul(by, m), by);
}

static dvc_real dvci_inverse_root(dvc_real moment) { return moment > 0 ? 1 / dvci_sqrt(moment) : 0; }

/* J_eff of a body from its stiffness K; what is added to J is kept, and the inverse (times what damping leaves). */
DVCI_APART static void dvci_stiffen_body(dvci_body *body, dvc_real h, dvc_real damping)
{
    dvc_vec3 moments = body->moments, eigen, more;
    dvc_vec3 inverse = dvci_vec(dvci_inverse_root(moments.x), dvci_inverse_root(moments.y), dvci_inverse_root(moments.z));
    dvc_vec3 root = dvci_vec(moments.x * inverse.x, moments.y * inverse.y, moments.z * inverse.z);
    dvci_mat3 r = dvci_quat_matrix(body->q), m, axes;
    dvc_real shift;
    bool turned = false;
    m = dvci_scale_both(dvci_congruent(dvci_transpose(r), body->stiffness), dvci_scale(inverse, h * DVCI_R(1.4142135623730951)));
    shift = dvci_abs(m.x.x) + dvci_abs(m.y.y) + dvci_abs(m.z.z) + 2 * (dvci_abs(m.x.y) + dvci_abs(m.x.z) + dvci_abs(m.y.z));
    if (!(shift > 1)) return; /* no eigenvalue is larger */
    m = dvci_matmadd(m, dvci_diagonal(1, 1, 1), shift);
    axes = dvci_quat_matrix(dvci_principal_axes(m, &eigen, &turned));
    eigen = dvci_vec(dvci_max(eigen.x - shift, 1), dvci_max(eigen.y - shift, 1), dvci_max(eigen.z - shift, 1));
    more = dvci_sub(eigen, dvci_vec(1, 1, 1));
    if (dvci_zero_vec(more)) return;
    m = dvci_scale_both(dvci_congruent(axes, dvci_diagonal(more.x, more.y, more.z)), root);
    body->added_inertia = dvci_congruent(r, m);
    m = dvci_scale_both(dvci_congruent(axes, dvci_diagonal(1 / eigen.x, 1 / eigen.y, 1 / eigen.z)), inverse);
    body->inverse_inertia = dvci_matmul(dvci_diagonal(damping, damping, damping), dvci_congruent(r, m));
    body->stiff = true;
}

/* The added inertia follows the neighbours; what this does to the spin is a torque like others. */
static void dvci_follow_neighbours(dvci_body *body, dvc_real h)
{
    dvc_vec3 spin, change;
    if (body->stiff_around == 0) return;
    spin = dvci_scale(dvci_madd(body->w_start, body->spin_around, 1 / (dvc_real)body->stiff_around), DVCI_R(0.5));
    change = dvci_mul(body->inverse_inertia, dvci_mul(body->added_inertia, dvci_sub(spin, body->w_free)));
    body->w_free = dvci_add(body->w_free, change);
    body->follow = dvci_scale(dvci_inertia_times(body, change), 1 / h);
    body->torque = dvci_add(body->torque, body->follow);
}

static void dvci_add_neighbour(dvci_body *body, const dvci_body *other)
{
    if (!body->stiff || !other->stiff) return;
    body->spin_around = dvci_add(body->spin_around, other->w_start);
    body->stiff_around++;
}

/* (r . F) 1 - sym(r F') of one force. */
static void dvci_add_stiffness(dvci_body *body, dvc_vec3 arm, dvc_vec3 force)
{
    dvc_real along = dvci_dot(arm, force);
    dvci_mat3 m;
    if (!body->dynamic || !body->turns) return;
    m.x = dvci_sub(dvci_vec(along, 0, 0), dvci_scale(dvci_madd(dvci_scale(force, arm.x), arm, force.x), DVCI_R(0.5)));
    m.y = dvci_sub(dvci_vec(0, along, 0), dvci_scale(dvci_madd(dvci_scale(force, arm.y), arm, force.y), DVCI_R(0.5)));
    m.z = dvci_sub(dvci_vec(0, 0, along), dvci_scale(dvci_madd(dvci_scale(force, arm.z), arm, force.z), DVCI_R(0.5)));
    body->stiffness = dvci_matmadd(body->stiffness, m, 1);
}

static dvc_real dvci_turn_damping(const dvci_step *s, const dvci_island *island, int i)
{
    return 1 / (1 + dvci_kick(s) * s->world->bodies[s->island_bodies[island->first_body + i]].angular_damping);
}

/* From the reactions of the solution that stands. Is any body stiff? */
DVCI_APART static bool dvci_stiffen_island(dvci_step *s, const dvci_island *island)
{
    bool any = false;
    int i, k;
    if (island->link_count == 0) return false;
    for (i = 0; i < island->body_count; i++) dvci_island_body(s, island, i)->stiffness = dvci_diagonal(0, 0, 0);
    for (i = 0; i < island->link_count; i++) {
        const dvci_link *link = dvci_island_link(s, island, i);
        dvc_vec3 force = dvci_vec(0, 0, 0);
        dvci_hinge hinge;
        if (link->kind != DVCI_LINK_JOINT) continue;
        hinge = dvci_hinge_of(s, link, false);
        for (k = link->first; k < link->first + link->count; k++)
            force = dvci_madd(force, s->link_rows[k].force_v, s->link_rows[k].impulse / dvci_kick(s));
        dvci_add_stiffness(&s->bodies[link->body_b], hinge.arm_b, force);
        dvci_add_stiffness(&s->bodies[link->body_a], hinge.arm_a, dvci_neg(force));
    }
    for (i = 0; i < island->body_count; i++) {
        dvci_body *body = dvci_island_body(s, island, i);
        if (body->turns) dvci_stiffen_body(body, s->h, dvci_turn_damping(s, island, i));
        any = any || body->stiff;
    }
    for (i = 0; i < island->link_count; i++) {
        const dvci_link *link = dvci_island_link(s, island, i);
        if (link->kind != DVCI_LINK_JOINT) continue;
        dvci_add_neighbour(&s->bodies[link->body_a], &s->bodies[link->body_b]);
        dvci_add_neighbour(&s->bodies[link->body_b], &s->bodies[link->body_a]);
    }
    for (i = 0; i < island->body_count; i++) dvci_follow_neighbours(dvci_island_body(s, island, i), dvci_kick(s));
    return any;
}

/* Velocities that work is counted by: a solution's own, as the literature's bounds have it; in the step in time the mean ones of the
 * half that impulses and forces have changed, which is exact. */
typedef struct dvci_rate { dvc_vec3 v, w; } dvci_rate;

static dvci_rate dvci_rate_of(const dvci_step *s, const dvci_body *body)
{
    dvci_rate rate;
    rate.v = body->v;
    rate.w = body->w;
    if (!s->at_end) return rate;
    rate.v = dvci_sub(rate.v, body->jump_v);
    rate.w = dvci_sub(s->leaving ? body->w_end : rate.w, body->jump_w);
    rate.v = dvci_add(rate.v, s->leaving ? body->v_out : dvci_add(body->v_start, body->hit_v));
    rate.w = dvci_add(rate.w, s->leaving ? body->w_out : dvci_add(body->w_start, body->hit_w));
    rate.v = dvci_scale(rate.v, DVCI_R(0.5));
    rate.w = dvci_scale(rate.w, DVCI_R(0.5));
    return rate;
}

/* What the added inertia takes from the bound on energy: it stores some that the body does not have. */
static dvc_real dvci_added_energy(const dvci_step *s, const dvci_body *body)
{
    dvc_vec3 from = s->leaving ? dvci_sub(body->w_end, body->jump_w) : dvci_add(body->w_start, body->hit_w);
    dvc_vec3 to = s->leaving ? body->w_out : dvci_sub(body->w, body->jump_w);
    if (s->at_end)
        return (dvci_dot(to, dvci_mul(body->added_inertia, to)) - dvci_dot(from, dvci_mul(body->added_inertia, from))) / 2;
    return (dvci_dot(body->w, dvci_mul(body->added_inertia, body->w))
            - dvci_dot(body->w_free, dvci_mul(body->added_inertia, body->w_free))) / 2;
}

/* ---- results ---- */

/* Work of a row's impulse on the bodies. Drives, dampers and friction do what they do; what holds or stops puts in only what bodies
 * that move as told do. */
static dvci_work dvci_link_row_work(const dvci_step *s, const dvci_link *link, const dvci_link_row *row)
{
    const dvci_body *a = link->body_a >= 0 ? &s->bodies[link->body_a] : NULL, *b = &s->bodies[link->body_b];
    bool holds = row->role == DVCI_HOLD || row->role == DVCI_LOWER || row->role == DVCI_UPPER;
    dvci_rate of_a = a ? dvci_rate_of(s, a) : dvci_rate_of(s, b), of_b = dvci_rate_of(s, b);
    dvc_real rate_a = a ? dvci_dot(row->force_a, of_a.w) - dvci_dot(row->force_v, of_a.v) : 0;
    dvc_real rate_b = dvci_dot(row->force_b, of_b.w) + dvci_dot(row->force_v, of_b.v);
    dvc_real impulse = row->impulse - (s->leaving ? row->kept_impulse : 0);
    dvci_work work;
    work.allowed = impulse * ((a && a->dynamic ? rate_a : 0) + (b->dynamic ? rate_b : 0));
    work.put = holds ? -impulse * ((a && !a->dynamic ? rate_a : 0) + (b->dynamic ? 0 : rate_b)) : work.allowed;
    work.recovered = row->role == DVCI_HOLD ? dvci_abs(impulse * (row->start - row->target)) / s->h
                   : holds ? impulse * dvci_max(0, dvci_role_sign(row) * (row->target - row->start)) / s->h : 0;
    work.bounced = 0;
    return work;
}

static void dvci_add_link_impulse(const dvci_link_row *row, dvc_real impulse, dvc_vec3 *linear, dvc_vec3 *angular)
{
    *linear = dvci_madd(*linear, row->force_v, impulse);
    if (dvci_zero_vec(row->force_v)) *angular = dvci_madd(*angular, row->force_b, impulse);
}

/* Impulses of an accepted solution. */
static void dvci_accept_link(dvci_step *s, dvci_link *link)
{
    int k;
    link->pulled += link->pull * s->h;
    for (k = link->first; k < link->first + link->count; k++) {
        dvci_link_row *row = &s->link_rows[k];
        row->total += row->impulse;
        link->pulled -= row->impulse * dvci_dot(row->force_v, link->along);
        dvci_add_link_impulse(row, row->impulse, &link->impulse, &link->angular);
    }
    link->impulse = dvci_add(link->impulse, link->early);
    link->angular = dvci_add(link->angular, link->early_angular);
}

static void dvci_store_axis(const dvci_step *s, const dvci_link *link, dvci_way way, dvc_axis *axis)
{
    int k;
    axis->impulse = 0;
    for (k = link->first; k < link->first + link->count; k++) {
        const dvci_link_row *row = &s->link_rows[k];
        if (row->role != DVCI_HOLD && row->way == way) axis->impulse += dvci_role_sign(row) * row->total;
    }
}

static void dvci_store_joint(const dvci_step *s, const dvci_link *link, dvc_joint *joint)
{
    const dvci_body *a = &s->bodies[link->body_a], *b = &s->bodies[link->body_b];
    dvci_hinge hinge = dvci_hinge_of(s, link, true);
    dvc_vec3 spin = dvci_sub(b->w_out, a->w_out), speed = dvci_sub(b->v_out, a->v_out);
    int k;
    joint->impulse = link->impulse;
    joint->angular_impulse = link->angular;
    joint->turn.velocity = joint->slide.velocity = 0; /* of a freedom that it has not */
    joint->turn.impulse = joint->slide.impulse = 0;
    joint->warm = 1u << 31;
    for (k = 0; k < link->count; k++)
        joint->warm |= (uint32_t)(s->link_rows[link->first + k].mode + 1) << (2 * k);
    if (dvci_joint_turns(joint->kind)) {
        joint->turn.position = dvci_hinge_turn(&hinge, link->turn_end);
        joint->turn.velocity = dvci_dot(hinge.a.z, spin);
        dvci_store_axis(s, link, DVCI_TURN, &joint->turn);
    }
    if (dvci_joint_slides(joint->kind)) {
        joint->slide.position = dvci_dot(hinge.a.z, hinge.gap);
        speed = dvci_add(speed, dvci_sub(dvci_cross(b->w_out, hinge.arm_b), dvci_cross(a->w_out, hinge.arm_a)));
        joint->slide.velocity = dvci_dot(hinge.a.z, speed);
        dvci_store_axis(s, link, DVCI_ALONG_Z, &joint->slide);
    }
}

/* Joints and springs that do not act carry nothing. */
static void dvci_clear_links(const dvci_step *s)
{
    int i;
    for (i = 0; i < s->world->joint_count; i++) {
        dvc_joint *joint = &s->world->joints[i];
        joint->impulse = joint->angular_impulse = dvci_vec(0, 0, 0);
        joint->turn.impulse = joint->slide.impulse = 0;
    }
    for (i = 0; i < s->world->spring_count; i++) s->world->springs[i].force = 0;
}

static void dvci_store_links(const dvci_step *s)
{
    int i;
    dvci_clear_links(s);
    for (i = 0; i < s->link_count; i++) {
        const dvci_link *link = &s->links[i];
        if (link->kind == DVCI_LINK_JOINT) dvci_store_joint(s, link, &s->world->joints[link->index]);
        if (link->kind == DVCI_LINK_SPRING) s->world->springs[link->index].force = link->pulled / s->h;
    }
}

/* ---- for the user ---- */

DVC_API dvc_status dvc_joint_attach(const dvc_world *world, dvc_joint_kind kind, int body_a, int body_b, dvc_vec3 anchor,
                                    dvc_vec3 axis, dvc_joint *joint)
{
    dvc_vec3 x, y, z;
    dvc_quat qa, qb, frame;
    dvci_mat3 m;
    if (!world || !world->bodies || !joint) return DVC_ERROR_NULL;
    memset(joint, 0, sizeof *joint);
    if ((int)kind <= 0 || kind >= DVC_JOINT_KIND_COUNT) return DVC_ERROR_JOINT_KIND;
    if (body_a < 0 || body_b < 0 || body_a >= world->body_count || body_b >= world->body_count || body_a == body_b)
        return DVC_ERROR_JOINT_BODY;
    if (!dvci_within_vec(anchor, DVC_LARGEST) || !dvci_within_vec(axis, DVC_LARGEST)) return DVC_ERROR_JOINT_FRAME;
    if (!dvci_check_pose(&world->bodies[body_a]) || !dvci_check_pose(&world->bodies[body_b])) return DVC_ERROR_BODY_STATE;
    if (world->planar && !dvci_joint_slides(kind)) axis = dvci_vec(0, 0, 1);
    z = dvci_unit(dvci_flat(axis, world->planar && (axis.x != 0 || axis.y != 0)));
    if (dvci_zero_vec(z)) z = dvci_vec(0, 0, 1);
    dvci_tangents(z, &x, &y);
    m.x = x; m.y = y; m.z = z;
    frame = dvci_matrix_quat(dvci_transpose(m));
    qa = dvci_quat_unit(world->bodies[body_a].orientation);
    qb = dvci_quat_unit(world->bodies[body_b].orientation);
    joint->kind = kind;
    joint->body_a = body_a;
    joint->body_b = body_b;
    joint->frame_a = dvci_quat_mul(dvci_quat_conj(qa), frame);
    joint->frame_b = dvci_quat_mul(dvci_quat_conj(qb), frame);
    joint->anchor_a = dvci_rotate(dvci_quat_conj(qa), dvci_flat(dvci_sub(anchor, world->bodies[body_a].position), world->planar));
    joint->anchor_b = dvci_rotate(dvci_quat_conj(qb), dvci_flat(dvci_sub(anchor, world->bodies[body_b].position), world->planar));
    return DVC_OK;
}

DVC_API dvc_real dvc_joint_error(const dvc_world *world, int index)
{
    const dvc_joint *joint = dvci_bodies_of(world) > 0 && world->joints && index >= 0 && index < world->joint_count
                                 ? &world->joints[index] : NULL;
    const dvc_body *a, *b;
    const dvci_way *way;
    dvc_real along = 0, about = 0;
    dvci_hinge hinge;
    if (!joint || dvci_check_joint(world, joint) != DVC_OK || !dvci_joint_present(world, joint)) return 0;
    a = &world->bodies[joint->body_a];
    b = &world->bodies[joint->body_b];
    if (!dvci_check_pose(a) || !dvci_check_pose(b)) return 0;
    hinge = dvci_hinge_at(joint, a->position, dvci_quat_unit(a->orientation), b->position, dvci_quat_unit(b->orientation));
    for (way = dvci_held_ways(joint->kind); *way != DVCI_NO_WAY; way++) {
        dvci_link_row row;
        dvc_real value = dvci_measure_way(&hinge, *way, 0, &row.row_v, &row.row_a, &row.row_b);
        if (world->planar && !dvci_row_in_plane(&row)) continue;
        if (*way <= DVCI_ALONG_Z) along += value * value;
        else about += value * value;
    }
    return dvci_sqrt(dvci_max(along, about));
}

/* ------------------------------------------------------------------------------------------------
 * >>islands  groups of bodies that touch
 * ------------------------------------------------------------------------------------------------
 * Bodies tied by links, or by groups that may push, are solved together, others apart. Static and kinematic bodies join nothing.
 */
static dvci_group *dvci_island_group(const dvci_step *s, const dvci_island *island, int i)
{
    return &s->groups[s->island_groups[island->first_group + i]];
}

static dvci_body *dvci_island_body(const dvci_step *s, const dvci_island *island, int i)
{
    return &s->bodies[s->island_bodies[island->first_body + i]];
}

static int dvci_island_root(dvci_body *bodies, int i)
{
    while (bodies[i].island != i) {
        bodies[i].island = bodies[bodies[i].island].island; /* halves the path */
        i = bodies[i].island;
    }
    return i;
}

/* A dynamic body of the group: every group has one. */
static int dvci_group_anchor(const dvci_step *s, const dvci_group *g)
{
    int a = dvci_group_body(s, g, 0);
    return s->bodies[a].dynamic ? a : dvci_group_body(s, g, 1);
}

/* Joins bodies; the root of an island is its lowest body. */
static void dvci_join_bodies(dvci_step *s)
{
    int i;
    for (i = s->first_body; i < s->world->body_count; i++)
        if (!s->bodies[i].asleep) s->bodies[i].island = s->bodies[i].dynamic ? i : -1; /* those that rest know theirs */
    for (i = 0; i < s->group_count; i++) {
        const dvci_group *g = &s->groups[i];
        int a = dvci_group_body(s, g, 0), b = dvci_group_body(s, g, 1);
        if (g->sensor || !s->bodies[a].dynamic || !s->bodies[b].dynamic) continue;
        a = dvci_island_root(s->bodies, a);
        b = dvci_island_root(s->bodies, b);
        s->bodies[dvci_imax(a, b)].island = dvci_imin(a, b);
    }
    for (i = 0; i < s->link_count; i++) {
        int a = s->links[i].body_a, b = s->links[i].body_b;
        if (a < 0 || !s->bodies[a].dynamic || !s->bodies[b].dynamic) continue;
        a = dvci_island_root(s->bodies, a);
        b = dvci_island_root(s->bodies, b);
        s->bodies[dvci_imax(a, b)].island = dvci_imin(a, b);
    }
}

static int dvci_link_island(const dvci_step *s, const dvci_link *link)
{
    int body = s->bodies[link->body_b].dynamic ? link->body_b : link->body_a;
    return s->bodies[body].island;
}

/* Numbers the islands by their lowest bodies and lists bodies and groups of each, in their orders. */
static void dvci_find_islands(dvci_step *s, const int *order)
{
    int n = s->world->body_count, i, k;
    dvci_join_bodies(s);
    for (i = s->first_body; i < n; i++)
        if (s->bodies[i].dynamic) s->bodies[i].slot = dvci_island_root(s->bodies, i);
    for (s->island_count = 0, i = s->first_body; i < n; i++) {
        dvci_body *body = &s->bodies[i];
        if (!body->dynamic) continue;
        if (body->slot == i) {
            memset(&s->islands[s->island_count], 0, sizeof *s->islands);
            s->islands[s->island_count].index = s->island_count;
            body->island = s->island_count++;
        } else {
            body->island = s->bodies[body->slot].island;
        }
        s->islands[body->island].body_count++;
    }
    for (k = 0; k < s->group_count; k++) {
        dvci_group *g = &s->groups[order[k]];
        if (g->sensor) continue; /* it only looks */
        g->island = s->bodies[dvci_group_anchor(s, g)].island;
        s->islands[g->island].group_count++;
    }
    for (k = 0; k < s->link_count; k++) s->islands[dvci_link_island(s, &s->links[k])].link_count++;
    for (i = 1; i < s->island_count; i++) {
        s->islands[i].first_body = s->islands[i - 1].first_body + s->islands[i - 1].body_count;
        s->islands[i].first_group = s->islands[i - 1].first_group + s->islands[i - 1].group_count;
        s->islands[i].first_link = s->islands[i - 1].first_link + s->islands[i - 1].link_count;
    }
    for (i = 0; i < s->island_count; i++)
        s->islands[i].body_count = s->islands[i].group_count = s->islands[i].link_count = 0;
    for (i = s->first_body; i < n; i++) {
        dvci_island *island = s->bodies[i].dynamic ? &s->islands[s->bodies[i].island] : NULL;
        if (!island) continue;
        s->bodies[i].slot = island->body_count;
        s->island_bodies[island->first_body + island->body_count++] = i;
    }
    for (s->island_group_count = 0, k = 0; k < s->group_count; k++) {
        dvci_island *island = s->groups[order[k]].sensor ? NULL : &s->islands[s->groups[order[k]].island];
        if (!island) continue;
        s->island_groups[island->first_group + island->group_count++] = order[k];
        s->island_group_count++;
    }
    for (k = 0; k < s->link_count; k++) {
        dvci_island *island = &s->islands[dvci_link_island(s, &s->links[k])];
        s->island_links[island->first_link + island->link_count++] = k;
    }
}

/* What a step left that was not solved to rounding, however little, would decide who pushes whom in a wall that stands, and no step
 * after it would find out: between bodies that keep still such gaps are none. */
static void dvci_forgive_still(dvci_step *s, const dvci_island *island)
{
    int i, k;
    if (island->group_count <= (s->world->planar ? DVCI_STILL_PAIRS_2D : DVCI_STILL_PAIRS)) return;
    for (i = 0; i < island->group_count; i++) {
        dvci_group *g = dvci_island_group(s, island, i);
        const dvci_facet *last = &s->facets[g->first + g->count - 1];
        const dvci_body *a = &s->bodies[dvci_group_body(s, g, 0)], *b = &s->bodies[dvci_group_body(s, g, 1)];
        dvc_real before = g->rounding;
        if (before == 0 || !dvci_pair_keeps(s, a, b, g->size, DVCI_WAY_STILL)) continue;
        g->rounding = dvci_max(before, DVCI_GAP_STILL * g->size);
        for (k = s->facets[g->first].first; k < last->first + last->count; k++) {
            dvc_real gap = s->points[k].gap;
            if (gap < -before || (gap > before && gap <= g->rounding)) dvci_point_start_row(s, &s->points[k]);
        }
    }
}

/* ---- what a factor takes ----
 * The blocks of an island's matrix, eliminated in the order in which a wave runs through it from one of its ends, fill a band as
 * wide as the wave front: the sum of its squares is the number of products. A wall or a pyramid has a narrow front, a heap has not.
 */
typedef struct dvci_wave {
    int *first; /* (bodies + 1) */
    int *near;  /* (first[bodies]) neighbours by slots, body after body */
    int *place; /* (bodies) in the wave, */
    int *queue; /* (bodies) and which body is there */
} dvci_wave;

/* The i-th pair of bodies that share rows, by their slots: groups, then links. False: one of them does not move. */
static bool dvci_island_tie(const dvci_step *s, const dvci_island *island, int i, int tie[2])
{
    bool link = i >= island->group_count;
    int k;
    for (k = 0; k < 2; k++) {
        const dvci_link *own = link ? dvci_island_link(s, island, i - island->group_count) : NULL;
        int body = !link ? dvci_group_body(s, dvci_island_group(s, island, i), k) : k ? own->body_b : own->body_a;
        if (body < 0 || !s->bodies[body].dynamic) return false;
        tie[k] = s->bodies[body].slot;
    }
    return true;
}

static void dvci_wave_fill(dvci_wave *f, const dvci_step *s, const dvci_island *island)
{
    int ties = island->group_count + island->link_count, i, k, tie[2];
    for (i = 0; i <= island->body_count; i++) f->first[i] = 0;
    for (i = 0; i < ties; i++)
        for (k = 0; dvci_island_tie(s, island, i, tie) && k < 2; k++) f->first[tie[k]]++;
    for (i = 1; i <= island->body_count; i++) f->first[i] += f->first[i - 1];
    for (i = 0; i < ties; i++)
        for (k = 0; dvci_island_tie(s, island, i, tie) && k < 2; k++) f->near[--f->first[tie[k]]] = tie[1 - k];
}

/* The wave from one body; returns the last that it comes to. */
static int dvci_wave_run(dvci_wave *f, int bodies, int start)
{
    int head, tail = 0, k;
    for (k = 0; k < bodies; k++) f->place[k] = -1;
    f->place[start] = tail;
    f->queue[tail++] = start;
    for (head = 0; head < tail; head++)
        for (k = f->first[f->queue[head]]; k < f->first[f->queue[head] + 1]; k++) {
            int other = f->near[k];
            if (f->place[other] >= 0) continue;
            f->place[other] = tail;
            f->queue[tail++] = other;
        }
    return f->queue[tail - 1];
}

static double dvci_wave_work(const dvci_wave *f, int bodies)
{
    double work = 0;
    int i, k;
    for (i = 0; i < bodies; i++) {
        int earliest = f->place[i];
        for (k = f->first[i]; k < f->first[i + 1]; k++) earliest = dvci_imin(earliest, f->place[f->near[k]]);
        work += (double)(f->place[i] - earliest) * (double)(f->place[i] - earliest);
    }
    return work;
}

/* Products of blocks that a factor may take. */
static double dvci_direct_work(bool planar) { return DVCI_DIRECT_WORK / (planar ? 27 : 216); }

/* Does a factor take too long? */
static bool dvci_island_is_large(dvci_step *s, const dvci_island *island)
{
    size_t mark = s->arena.used, n = (size_t)island->body_count;
    bool large = s->world->direct_bodies > 0;
    dvci_wave f;
    if (island->body_count <= (large ? s->world->direct_bodies : DVCI_DIRECT_BODIES)) return false;
    if (large) return true;
    f.first = dvci_alloc_ints(&s->arena, n + 1);
    f.near = dvci_alloc_ints(&s->arena, 2 * (size_t)(island->group_count + island->link_count));
    f.place = dvci_alloc_ints(&s->arena, n);
    f.queue = dvci_alloc_ints(&s->arena, n);
    if (s->arena.failed) {
        s->status = DVC_ERROR_SCRATCH;
        return true;
    }
    dvci_wave_fill(&f, s, island);
    dvci_wave_run(&f, island->body_count, dvci_wave_run(&f, island->body_count, 0));
    large = dvci_wave_work(&f, island->body_count) > dvci_direct_work(s->world->planar);
    s->arena.used = mark;
    return large;
}

/* How the islands are solved: which are too large for a factor, and which gaps are none. */
static void dvci_weigh_islands(dvci_step *s)
{
    int i;
    for (i = 0; i < s->island_count; i++) {
        s->islands[i].large = dvci_island_is_large(s, &s->islands[i]);
        dvci_forgive_still(s, &s->islands[i]);
    }
}

/* The fastest of the body's points, out to its reach or farther. */
static dvc_real dvci_body_speed(const dvci_body *body, dvc_real reach)
{
    dvc_real lever = dvci_max(body->reach, reach);
    return dvci_max(dvci_norm(body->v_start) + lever * dvci_norm(body->w_start),
                    dvci_norm(body->v_free) + lever * dvci_norm(body->w_free));
}

/* The speed that a drive or brake would give its bodies by itself: what it lacks to its aim in free motion, or what it can. */
static dvc_real dvci_drive_speed(const dvci_step *s, const dvci_link *link, const dvci_link_row *row)
{
    dvc_real most = dvci_max(dvci_abs(row->lower), dvci_abs(row->upper)), lacks = row->rate, gain = 0;
    dvc_real size = dvci_zero_vec(row->force_v) ? link->size : 1;
    int k;
    if (dvci_no_bound(most) || !(most > 0)) return 0;
    for (k = 0; k < 2; k++) {
        const dvci_body *body = (k ? link->body_b : link->body_a) < 0 ? NULL : &s->bodies[k ? link->body_b : link->body_a];
        dvc_vec3 force = k ? row->force_b : row->force_a, row_w = k ? row->row_b : row->row_a;
        if (!body || !body->dynamic) continue;
        gain += body->inverse_mass * dvci_dot(row->force_v, row->force_v) + dvci_dot(force, dvci_mul(body->inverse_inertia, force));
        lacks += (k ? 1 : -1) * dvci_dot(row->row_v, body->v_free) + dvci_dot(row_w, dvci_add(body->w_free, body->gyro));
    }
    return size * dvci_min(most * gain, dvci_abs(lacks));
}

/* V = g h + the island's fastest speed, and never less than rounding of the gaps. */
static dvc_real dvci_island_speed(const dvci_step *s, const dvci_island *island)
{
    dvc_real speed = 0, size = 0;
    int i, k;
    for (i = 0; i < island->group_count; i++)
        for (size = dvci_max(size, dvci_island_group(s, island, i)->size), k = 0; k < 2; k++)
            speed = dvci_max(speed, dvci_body_speed(&s->bodies[dvci_group_body(s, dvci_island_group(s, island, i), k)], 0));
    for (i = 0; i < island->link_count; i++) {
        const dvci_link *link = dvci_island_link(s, island, i);
        size = dvci_max(size, link->size);
        speed = dvci_max(speed, dvci_body_speed(&s->bodies[link->body_b], link->size));
        if (link->body_a >= 0) speed = dvci_max(speed, dvci_body_speed(&s->bodies[link->body_a], link->size));
        for (k = link->first; k < link->first + link->count; k++)
            speed = dvci_max(speed, dvci_drive_speed(s, link, &s->link_rows[k]));
    }
    return speed + s->gravity * s->h + DVCI_R(1e-9) * size / s->h;
}

/* ------------------------------------------------------------------------------------------------
 * >>sleep  islands that nothing changes
 * ------------------------------------------------------------------------------------------------
 * A step is a function of its input. So an island that one step leaves as it was, to the last bit of its bodies and contacts, will
 * be left so by the next, too, as long as nothing else about it changes. Its contacts need not be found again, nor its problem be
 * solved: the step looks whether what its contacts carry still bears its bodies, and tells so in the report. Worlds that `sleep`
 * leave out that look, too. The bits are those of worlds that know nothing of this. What stands comes to such a state of itself
 * (see "what rests" in >>problem).
 *
 * Bodies that keep still are *marked* by a hash of all that decides about them: state, forces, shapes, contacts, the world's
 * options, everything that does not move. A step that finds the mark of the step before, and leaves it as it is, confirms it (its
 * lowest bit). If all bodies of an island, as the contacts join them, are found with confirmed marks, and nothing that moves
 * comes near, the island rests. Only what was solved exactly is marked. Bodies with joints, springs or supports stay awake.
 * Kinematic bodies have marks of their own: one that moves wakes whom it comes near.
 */
static uint64_t dvci_mix(uint64_t mark, uint64_t word)
{
    mark = (mark ^ word) * (uint64_t)11400714819323198485u;
    return mark ^ mark >> 29;
}

/* Words of a run of memory without gaps, in four lanes that need not wait for each other. */
static uint64_t dvci_mix_bytes(uint64_t mark, const void *from, size_t size)
{
    const unsigned char *at = (const unsigned char *)from;
    uint64_t lane[4], word;
    int k;
    for (k = 0; k < 4; k++) lane[k] = mark + (uint64_t)k;
    for (; size >= 4 * sizeof word; size -= 4 * sizeof word)
        for (k = 0; k < 4; k++, at += sizeof word) {
            memcpy(&word, at, sizeof word);
            lane[k] = dvci_mix(lane[k], word);
        }
    for (k = 0; k < 3 && size >= sizeof word; size -= sizeof word, at += sizeof word, k++) {
        memcpy(&word, at, sizeof word);
        lane[k] = dvci_mix(lane[k], word);
    }
    for (word = 0; size > 0; size--) word = word << 8 | at[size - 1];
    return dvci_mix(dvci_mix(dvci_mix(dvci_mix(lane[0], lane[1]), lane[2]), lane[3]), word);
}

static uint64_t dvci_mix_real(uint64_t mark, dvc_real x)
{
    uint64_t word = 0;
    memcpy(&word, &x, sizeof x);
    return dvci_mix(mark, word);
}

static uint64_t dvci_mix_vec(uint64_t mark, dvc_vec3 v)
{
    return dvci_mix_real(dvci_mix_real(dvci_mix_real(mark, v.x), v.y), v.z);
}

/* The members of a struct from one to another, if all between are reals. */
#define DVCI_MIX_REALS(mark, object, type, first, last)                                                                            \
    dvci_mix_bytes(mark, (const unsigned char *)(object) + offsetof(type, first),                                                  \
                   offsetof(type, last) + sizeof (object)->last - offsetof(type, first))

static uint64_t dvci_mix_shape(uint64_t mark, const dvc_shape *shape)
{
    const dvc_polytope *p = shape->polytope;
    mark = dvci_mix(mark, (uint64_t)shape->kind << 2 | (shape->disabled ? 2u : 0u) | (shape->sensor ? 1u : 0u));
    mark = DVCI_MIX_REALS(mark, shape, dvc_shape, friction, radius);
    mark = dvci_mix(dvci_mix_vec(mark, shape->surface_velocity), (uint64_t)shape->category << 32 | shape->ignore);
    if (shape->kind == DVC_POLYGON) return dvci_mix_bytes(mark, shape->points, (size_t)shape->point_count * sizeof *shape->points);
    if (shape->kind != DVC_POLYTOPE) return mark;
    mark = dvci_mix(mark, (uint64_t)(uintptr_t)p->vertices);
    mark = dvci_mix(mark, (uint64_t)(uint32_t)p->face_count << 32 | (uint32_t)p->vertex_count);
    return DVCI_MIX_REALS(mark, p, dvc_polytope, low, inner);
}

static uint64_t dvci_mix_body(uint64_t mark, const dvc_body *body)
{
    mark = dvci_mix(mark, (uint64_t)body->kind << 3 | (body->motion ? 4u : 0u) | (body->support ? 2u : 0u) | (body->disabled ? 1u : 0u));
    return DVCI_MIX_REALS(mark, body, dvc_body, mass, angular_damping);
}

/* All but its group's number, which others have a say in. */
static uint64_t dvci_mix_contact(const dvc_contact *c)
{
    uint64_t mark = (uint64_t)(uint32_t)c->shape_a << 32 | (uint32_t)c->shape_b;
    mark = dvci_mix(mark, (uint64_t)c->feature_a << 32 | c->feature_b);
    mark = dvci_mix(mark, (uint64_t)c->warm << 32 | (uint32_t)c->facet);
    mark = dvci_mix(mark, (uint64_t)c->phase << 2 | (c->chosen ? 2u : 0u) | (c->sensor ? 1u : 0u));
    return DVCI_MIX_REALS(mark, c, dvc_contact, point, normal_impulse);
}

static uint64_t dvci_mix_rule(uint64_t mark, const dvc_pair_rule *rule)
{
    mark = dvci_mix(mark, (uint64_t)(uint32_t)rule->body_a << 32 | (uint32_t)rule->body_b);
    mark = dvci_mix(mark, (uint64_t)rule->friction_directions << 4 | (rule->ignore ? 8u : 0u) | (rule->set_friction ? 4u : 0u)
                              | (rule->fixed_tangents ? 2u : 0u) | (rule->set_restitution ? 1u : 0u));
    return dvci_mix_real(dvci_mix_real(dvci_mix_real(mark, rule->friction), rule->tangent_angle), rule->restitution);
}

static uint64_t dvci_mix_options(uint64_t mark, const dvc_world *w, dvc_real h)
{
    mark = dvci_mix(mark, (uint64_t)w->contact_model << 32 | (uint64_t)w->solver << 16 | (uint64_t)w->time_stepping << 8
                              | (w->planar ? 4u : 0u) | (w->semi_implicit ? 2u : 0u) | (w->fixed_tangents ? 1u : 0u));
    mark = dvci_mix(mark, (uint64_t)(uint32_t)w->friction_directions << 32 | (uint32_t)w->direct_bodies);
    mark = dvci_mix(mark, (uint64_t)(uint32_t)w->iterations);
    mark = dvci_mix_vec(dvci_mix_real(mark, h), w->gravity);
    mark = dvci_mix_real(dvci_mix_real(mark, w->tangent_angle), w->epsilon);
    return dvci_mix_real(dvci_mix_real(mark, w->recovery_speed), w->tolerance);
}

/* May islands rest in this world? Who knows what functions of the user's look at. The models and solvers for comparison are there
 * to be run, unless the user says otherwise. */
static bool dvci_world_rests(const dvc_world *world)
{
    if (world->collide || world->solve) return false;
    return world->sleep || (world->contact_model == DVC_PEG && world->solver == DVC_AUTO);
}

static bool dvci_is_free(const dvci_step *s, int body)
{
    return body >= s->first_body && s->world->bodies[body].kind == DVC_DYNAMIC && !s->world->bodies[body].disabled;
}

static bool dvci_is_kinematic(const dvci_step *s, int body)
{
    return body >= s->first_body && s->world->bodies[body].kind == DVC_KINEMATIC && !s->world->bodies[body].disabled;
}

/* ---- marks ---- */

/* All that is the same for all and does not move. */
static uint64_t dvci_mark_surroundings(const dvci_step *s)
{
    const dvc_world *world = s->world;
    uint64_t mark = dvci_mix_options(1, world, s->h);
    int i;
    for (i = 0; i < world->pair_rule_count; i++) mark = dvci_mix_rule(mark, &world->pair_rules[i]);
    if (s->terrain) mark = dvci_mix(mark, s->terrain->mark);
    for (i = s->first_body; i < world->body_count; i++) {
        const dvc_body *body = &world->bodies[i];
        if (body->disabled || body->kind == DVC_DYNAMIC) continue;
        mark = dvci_mix(mark, (uint64_t)i); /* a new kinematic body wakes all, too */
        if (body->kind == DVC_STATIC) mark = dvci_mix_body(mark, body);
    }
    for (i = s->first_shape; i < world->shape_count; i++)
        if (dvci_shape_present(world, i) && world->bodies[world->shapes[i].body].kind == DVC_STATIC)
            mark = dvci_mix_shape(dvci_mix(mark, (uint64_t)i), &world->shapes[i]);
    return mark | 1; /* 0 is none */
}

/* Bodies of the contacts, as the shapes have them now; -1: it is none of this world. */
static void dvci_list_between(dvci_step *s)
{
    const dvc_world *world = s->world;
    int i;
    for (i = 0; i < world->contact_count; i++) {
        const dvc_contact *c = &world->contacts[i];
        int a = c->shape_a, b = c->shape_b, *body = &s->between[2 * i];
        bool ours = a >= 0 && b >= 0 && a < world->shape_count && b < world->shape_count;
        ours = ours && dvci_shape_present(world, a) && dvci_shape_present(world, b);
        body[0] = ours ? world->shapes[a].body : -1;
        body[1] = ours ? world->shapes[b].body : -1;
    }
}

/* Marks of the bodies that have one that is not 0, as the user's arrays have them. */
static void dvci_mark_bodies(const dvci_step *s, uint64_t *marks)
{
    const dvc_world *world = s->world;
    int i, k;
    for (i = s->first_body; i < world->body_count; i++)
        if (marks[i]) marks[i] = dvci_mix_body(s->surroundings, &world->bodies[i]) | 1;
    for (i = s->first_shape; i < world->shape_count; i++)
        if (dvci_shape_present(world, i) && marks[world->shapes[i].body]) {
            uint64_t *mark = &marks[world->shapes[i].body];
            *mark = dvci_mix_shape(dvci_mix(*mark, (uint64_t)i), &world->shapes[i]) | 1;
        }
    for (i = 0; i < world->contact_count; i++) {
        const int *body = &s->between[2 * i];
        uint64_t mark = 0;
        for (k = 0; k < 2; k++) {
            if (!dvci_is_free(s, body[k]) || !marks[body[k]]) continue;
            if (mark == 0) mark = dvci_mix_contact(&world->contacts[i]);
            marks[body[k]] = dvci_mix(marks[body[k]], mark) | 1;
        }
    }
    for (i = s->first_body; i < world->body_count; i++) /* the lowest bit is free; 0 is none */
        if (marks[i]) marks[i] = marks[i] > 1 ? marks[i] & ~(uint64_t)1 : 2;
}

static void dvci_mark_start(dvci_step *s)
{
    int i;
    for (i = s->first_body; i < s->world->body_count; i++) {
        s->marks[i] = s->world->bodies[i].asleep != 0 && (dvci_is_free(s, i) || dvci_is_kinematic(s, i));
        s->marked = s->marked || s->marks[i];
    }
    if (!s->marked) return;
    dvci_list_between(s);
    s->surroundings = dvci_mark_surroundings(s);
    dvci_mark_bodies(s, s->marks);
}

/* Does the body keep still, and was it solved exactly? */
static bool dvci_is_worth_a_mark(const dvci_step *s, int index)
{
    const dvc_body *user = &s->world->bodies[index];
    const dvci_island *island = dvci_is_free(s, index) ? &s->islands[s->bodies[index].island] : NULL;
    if (!dvci_zero_vec(user->velocity) || !dvci_zero_vec(user->angular_velocity) || user->disabled) return false;
    if (!island) return dvci_is_kinematic(s, index) && !user->motion;
    return !user->support && !island->approximate && island->report.inexact == 0 && island->report.fallbacks == 0;
}

/* Free bodies without contacts are not marked: nothing would tell that they were taken away for a while. */
static void dvci_drop_lonely(const dvci_step *s, uint64_t *marks)
{
    int i, k;
    for (i = 0; i < s->world->contact_count; i++)
        for (k = 0; k < 2; k++)
            if (dvci_is_free(s, s->between[2 * i + k]) && marks[s->between[2 * i + k]]) marks[s->between[2 * i + k]] = 2;
    for (i = s->first_body; i < s->world->body_count; i++)
        if (dvci_is_free(s, i) && marks[i] == 1) marks[i] = 0;
}

/* Bodies that keep still are marked; marks that are what they were are confirmed. Who rests keeps its own. */
static void dvci_mark_end(dvci_step *s)
{
    uint64_t *now = s->marks + s->world->body_count;
    bool any = false;
    int i;
    for (i = s->first_body; i < s->world->body_count; i++) {
        now[i] = !s->bodies[i].asleep && dvci_is_worth_a_mark(s, i);
        any = any || now[i];
    }
    if (any) {
        if (!s->surroundings) s->surroundings = dvci_mark_surroundings(s);
        dvci_list_between(s);
        dvci_drop_lonely(s, now);
        dvci_mark_bodies(s, now);
    }
    for (i = s->first_body; i < s->world->body_count; i++) {
        dvc_body *user = &s->world->bodies[i];
        if (user->kind == DVC_STATIC || user->disabled || s->bodies[i].asleep) continue;
        user->asleep = now[i] | (now[i] == s->marks[i] && now[i] ? 1u : 0u);
    }
}

/* ---- who rests ---- */

static bool dvci_is_as_confirmed(const dvci_step *s, int body)
{
    return s->marks[body] != 0 && s->world->bodies[body].asleep == (s->marks[body] | 1);
}

/* Links hold their bodies awake. */
static void dvci_wake_linked(dvci_step *s)
{
    const dvc_world *world = s->world;
    int i;
    for (i = 0; i < world->joint_count; i++) {
        if (!dvci_joint_present(world, &world->joints[i])) continue;
        if (dvci_is_free(s, world->joints[i].body_a)) s->bodies[world->joints[i].body_a].asleep = false;
        if (dvci_is_free(s, world->joints[i].body_b)) s->bodies[world->joints[i].body_b].asleep = false;
    }
    for (i = 0; i < world->spring_count; i++) {
        if (!dvci_spring_present(world, &world->springs[i])) continue;
        if (dvci_is_free(s, world->springs[i].body_a)) s->bodies[world->springs[i].body_a].asleep = false;
        if (dvci_is_free(s, world->springs[i].body_b)) s->bodies[world->springs[i].body_b].asleep = false;
    }
}

/* Islands as the last step's contacts join them. What moves as told wakes whom it touched. */
static void dvci_join_sleepers(dvci_step *s)
{
    int i, k, root[2];
    for (i = 0; i < s->world->contact_count; i++) {
        const int *body = &s->between[2 * i];
        bool free_a = dvci_is_free(s, body[0]), free_b = dvci_is_free(s, body[1]);
        for (k = 0; k < 2; k++)
            if ((k ? free_a : free_b) && dvci_is_kinematic(s, body[k]) && !dvci_is_as_confirmed(s, body[k]))
                s->bodies[body[1 - k]].asleep = false;
        if (!free_a || !free_b) continue;
        root[0] = dvci_island_root(s->bodies, body[0]);
        root[1] = dvci_island_root(s->bodies, body[1]);
        s->bodies[dvci_imax(root[0], root[1])].island = dvci_imin(root[0], root[1]);
    }
}

/* Who sleeps stands still for the others, where it is. */
static void dvci_lay_down(dvci_step *s)
{
    int i;
    for (s->sleeps = s->stirs = false, i = s->first_body; i < s->world->body_count; i++) {
        dvci_body *body = &s->bodies[i];
        if (dvci_is_kinematic(s, i) && !dvci_is_as_confirmed(s, i)) s->stirs = true;
        if (!dvci_is_free(s, i)) continue;
        body->asleep = body->asleep && !s->bodies[dvci_island_root(s->bodies, i)].woken;
        body->dynamic = !body->asleep;
        s->stirs = s->stirs || !body->asleep;
        if (!body->asleep) continue;
        s->sleeps = true;
        body->v = body->v_out = body->v_start;
        body->w = body->w_end = body->w_out = body->w_start;
        body->end.x = body->x;
        body->end.turn = dvci_diagonal(1, 1, 1);
        body->q_end = body->q;
        body->displacement = dvci_vec(0, 0, 0);
    }
}

/* A body that does not rest wakes its island. */
static void dvci_find_rest(dvci_step *s)
{
    int i;
    for (i = s->first_body; i < s->world->body_count; i++) {
        s->bodies[i].island = i;
        s->bodies[i].asleep = dvci_is_free(s, i) && dvci_is_as_confirmed(s, i);
    }
    dvci_wake_linked(s);
    dvci_join_sleepers(s);
    for (i = s->first_body; i < s->world->body_count; i++)
        if (dvci_is_free(s, i) && !s->bodies[i].asleep) s->bodies[dvci_island_root(s->bodies, i)].woken = true;
    dvci_lay_down(s);
    for (i = s->first_body; s->stirs && i < s->world->body_count; i++) /* as yet, all are laid out alike */
        if (s->bodies[i].asleep) s->bodies[i].dynamic = true;
}

/* Something awake is near something asleep. */
static void dvci_wake(dvci_step *s, int part_a, int part_b)
{
    int i, part[2];
    part[0] = part_a;
    part[1] = part_b;
    for (i = 0; i < 2; i++) {
        int body = s->parts[part[i]].body;
        if (!s->bodies[body].asleep) continue;
        s->bodies[dvci_island_root(s->bodies, body)].woken = s->woke = true;
    }
}

/* Until nothing that moves is near what rests: what moves as told counts among them while that is looked for. */
static void dvci_wake_near(dvci_step *s)
{
    int i;
    do {
        dvci_lay_down(s);
        s->woke = false;
        for (i = s->first_body; i < s->world->body_count; i++)
            if (dvci_is_kinematic(s, i)) s->bodies[i].dynamic = !dvci_is_as_confirmed(s, i);
        if (s->sleeps) dvci_sweep_pairs(s, dvci_wake);
        for (i = s->first_body; i < s->world->body_count; i++)
            if (dvci_is_kinematic(s, i)) s->bodies[i].dynamic = false;
    } while (s->woke);
}

static bool dvci_contact_sleeps(const dvci_step *s, int contact)
{
    bool sleeps = false;
    int k;
    for (k = 0; s->sleeps && k < 2; k++) {
        int body = s->between[2 * contact + k];
        sleeps = sleeps || (dvci_is_free(s, body) && s->bodies[body].asleep);
    }
    return sleeps;
}

/* ---- a look at what rests ---- */

/* What a contact carries, and the rows it stands for. */
static void dvci_look_at_contact(dvci_step *s, int contact)
{
    const dvc_world *world = s->world;
    const dvc_contact *c = &s->ended[contact];
    const dvc_shape *a = &world->shapes[c->shape_a], *b = &world->shapes[c->shape_b];
    dvc_real friction;
    int k, rows, island = -1;
    for (k = 0; k < 2; k++) {
        int index = k ? b->body : a->body;
        dvci_body *body = &s->bodies[index];
        dvc_vec3 arm, push = k ? c->impulse : dvci_neg(c->impulse);
        if (!dvci_is_free(s, index)) continue;
        arm = dvci_sub(c->point, body->x);
        body->kept_v = dvci_add(body->kept_v, push);
        body->kept_w = dvci_add(body->kept_w, dvci_cross(arm, push));
        body->reach = dvci_max(body->reach, dvci_norm(arm));
        island = dvci_island_root(s->bodies, index);
    }
    if (!c->chosen || c->sensor) return;
    rows = dvci_pair_friction(s, a, b, world->pair_rule_count > 0 ? dvci_find_rule(s, a->body, b->body) : NULL, &friction);
    if (island >= 0) s->bodies[island].slot += 1 + rows / 2;
}

/* What forces and contacts would add to the body's velocity, in units of its V. */
static dvc_real dvci_look_at_body(const dvci_step *s, int index)
{
    const dvc_body *user = &s->world->bodies[index];
    const dvci_body *body = &s->bodies[index];
    dvc_real speed = s->gravity * s->h + DVCI_R(1e-9) * body->reach / s->h;
    dvc_vec3 v = dvci_madd(body->kept_v, dvci_flat(user->force, s->world->planar), s->h);
    dvc_vec3 w = dvci_madd(body->kept_w, s->world->planar ? dvci_vec(0, 0, user->torque.z) : user->torque, s->h);
    v = dvci_madd(dvci_scale(v, 1 / user->mass), dvci_flat(s->world->gravity, s->world->planar), s->h); /* without damping */
    w = dvci_mul(body->inverse_inertia, w);
    return speed > 0 ? (dvci_norm(v) + body->reach * dvci_norm(w)) / speed : dvci_norm(v);
}

/* Each island that rests is a problem that was solved before; its residual is measured anew, over the contacts listed. */
static void dvci_look_at_rest(dvci_step *s)
{
    int i;
    for (i = s->first_body; i < s->world->body_count; i++) {
        if (!s->bodies[i].asleep) continue;
        s->bodies[i].kept_v = s->bodies[i].kept_w = dvci_vec(0, 0, 0);
        s->bodies[i].slot = 0;
    }
    for (i = 0; i < s->ended_count; i++)
        if (s->ended[i].phase != DVC_ENDED) dvci_look_at_contact(s, i);
    for (i = s->first_body; i < s->world->body_count; i++) {
        const dvci_body *body = &s->bodies[i];
        if (!body->asleep) continue;
        s->report.residual = dvci_max(s->report.residual, dvci_look_at_body(s, i));
        if (dvci_island_root(s->bodies, i) != i) continue;
        s->islands_at_rest++;
        s->report.problems += body->slot > 0;
        s->report.largest_problem = dvci_imax(s->report.largest_problem, body->slot);
    }
}

/* ------------------------------------------------------------------------------------------------
 * >>threads  pairs and islands shared among threads
 * ------------------------------------------------------------------------------------------------
 * A thread works on a copy of dvci_step: it sees the same bodies, parts, groups and points, and has room of its own behind
 * what is there in the arrays that grow, and in the arena. What threads leave there is put together in the order of pairs
 * and of islands, whatever thread they went to, and sums are those of islands: the results are those of one thread, bit for
 * bit, errors and report included. If the memory does not do for so many, one thread does it all.
 *
 * Islands share no body but those that do not follow forces. Parts of static bodies are at their end from the beginning;
 * what touches kinematic bodies, whose motion half steps ask for anew, stays with the first thread.
 */
#define DVCI_THREAD_PAIRS 4  /* what is worth a thread: pairs, */
#define DVCI_THREAD_GROUPS 2 /* groups and links in islands, */
#define DVCI_THREAD_POINTS 8 /* and room for points */

#ifndef DVC_THREADS
#ifdef DVC_OPENMP
#define DVC_THREADS (omp_in_parallel() ? 1 : omp_get_max_threads())
#else
#define DVC_THREADS 1
#endif
#endif

/* run(data, k) for 0 <= k < count, by as many threads. */
static void dvci_run_threads(int count, void (*run)(void *data, int k), void *data)
{
#ifdef DVC_PARALLEL
    DVC_PARALLEL(count, run, data);
#else
    int k;
#ifdef DVC_OPENMP
#pragma omp parallel for schedule(static, 1) num_threads(count)
#endif
    for (k = 0; k < count; k++) run(data, k);
#endif
}

/* What the user set in calls back from within a step would have to bear threads: then there is one. */
static int dvci_threads_for(const dvc_world *world)
{
    int most = DVC_THREADS;
    if (world->threads > 0) most = dvci_imin(most, world->threads);
    return world->solve || world->collide ? 1 : dvci_imax(1, most);
}

typedef struct dvci_team {
    dvci_step *steps;           /* (count) one per thread */
    int count;
    int room;                   /* points for each */
    dvci_arena whole;           /* the arena before it was shared */
    int *pairs;                 /* (2 pair_limit) pairs of parts whose boxes meet */
    int pair_count, pair_limit;
} dvci_team;

/* Shares what is left of the step's arrays and arena among `count` threads; false if that is too little. */
static bool dvci_team_share(dvci_step *s, dvci_team *team, int count)
{
    int t, left = s->point_limit - s->point_count;
    size_t share;
    team->count = count;
    team->room = left / count - 1;
    team->steps = (dvci_step *)dvci_alloc(&s->arena, (size_t)count, sizeof *team->steps);
    if (team->room < DVCI_THREAD_POINTS || s->arena.failed) return false;
    for (t = 0; t < count; t++) {
        dvci_step *own = &team->steps[t];
        *own = *s;
        own->list = dvci_alloc_ints(&s->arena, (size_t)s->world->contact_capacity);
        own->point_count += t * team->room;
        own->point_limit = own->point_count + team->room;
        own->group_count += t * (team->room + 1); /* one may be open that is not kept */
        own->facet_count += t * (2 * team->room + 2);
        own->island_group_count += t * team->room;
        own->points_wanted = own->points_over = 0;
    }
    share = (s->arena.capacity - s->arena.used) / (size_t)count / DVCI_ALIGN * DVCI_ALIGN;
    for (t = 0; t < count; t++) {
        dvci_arena *arena = &team->steps[t].arena;
        *arena = s->arena;
        arena->base += s->arena.used + (size_t)t * share;
        arena->capacity = share;
        arena->used = arena->peak = 0;
    }
    return !s->arena.failed;
}

/* Takes the arena back, as if one thread after the other had used it; true if all got through. */
static bool dvci_team_dismiss(dvci_step *s, dvci_team *team, bool shared)
{
    bool well = shared;
    int t;
    s->arena = team->whole;
    for (t = 0; well && t < team->count; t++) {
        const dvci_step *own = &team->steps[t];
        well = own->status == DVC_OK && !own->arena.failed && own->points_over == 0;
    }
    for (t = 0; well && t < team->count; t++) {
        size_t peak = s->arena.used + team->steps[t].arena.peak;
        if (peak > s->arena.peak) s->arena.peak = peak;
    }
    return well;
}

/* ---- pairs: a thread takes a stretch of the list ---- */

static void dvci_list_pair(dvci_step *s, int part_a, int part_b)
{
    dvci_team *team = s->team;
    if (team->pair_count < team->pair_limit) {
        team->pairs[2 * team->pair_count] = part_a;
        team->pairs[2 * team->pair_count + 1] = part_b;
    }
    team->pair_count++;
}

static void dvci_visit_stretch(void *data, int t)
{
    dvci_team *team = (dvci_team *)data;
    dvci_step *s = &team->steps[t];
    int i, end = (int)((int64_t)team->pair_count * (t + 1) / team->count);
    for (i = (int)((int64_t)team->pair_count * t / team->count); i < end && !s->arena.failed && s->points_over == 0; i++)
        dvci_visit_pair(s, team->pairs[2 * i], team->pairs[2 * i + 1]);
}

/* Moves what a thread has found to the end of what the threads before it have found. */
static void dvci_append_found(dvci_step *s, const dvci_team *team, int t)
{
    const dvci_step *own = &team->steps[t];
    int group = t * (team->room + 1), facet = t * (2 * team->room + 2), point = t * team->room, i; /* where its room begins */
    int groups = own->group_count - group, facets = own->facet_count - facet, points = own->point_count - point;
    memmove(&s->groups[s->group_count], &s->groups[group], (size_t)groups * sizeof *s->groups);
    memmove(&s->facets[s->facet_count], &s->facets[facet], (size_t)facets * sizeof *s->facets);
    memmove(&s->points[s->point_count], &s->points[point], (size_t)points * sizeof *s->points);
    for (i = s->group_count; i < s->group_count + groups; i++) s->groups[i].first += s->facet_count - facet;
    for (i = s->facet_count; i < s->facet_count + facets; i++) s->facets[i].first += s->point_count - point;
    for (i = s->point_count; i < s->point_count + points; i++) s->points[i].group += s->group_count - group;
    s->points_wanted = dvci_imax(s->points_wanted, s->point_count + own->points_wanted - point);
    s->bounced = s->bounced || own->bounced;
    s->group_count += groups;
    s->facet_count += facets;
    s->point_count += points;
}

/* Pairs by several threads; false: not worth it, or not enough room. */
static bool dvci_share_pairs(dvci_step *s)
{
    dvci_team team;
    bool shared = false;
    int t;
    memset(&team, 0, sizeof team);
    if (s->threads == 1 || s->world->shape_count < DVCI_THREAD_PAIRS) return false;
    team.whole = s->arena;
    team.pair_limit = 4 * s->world->shape_count + s->world->contact_capacity;
    team.pairs = dvci_alloc_ints(&s->arena, 2 * (size_t)team.pair_limit);
    s->team = &team;
    if (!s->arena.failed) dvci_sweep_pairs(s, dvci_list_pair);
    team.count = dvci_imin(s->threads, team.pair_count / DVCI_THREAD_PAIRS);
    if (team.count > 1 && team.pair_count <= team.pair_limit) shared = dvci_team_share(s, &team, team.count);
    if (shared) {
        DVC_STAGE("contacts");
        dvci_run_threads(team.count, dvci_visit_stretch, &team);
    }
    shared = dvci_team_dismiss(s, &team, shared);
    for (t = 0; shared && t < team.count; t++) dvci_append_found(s, &team, t);
    return shared;
}

/* Half-spaces come after all that is in the tree: what is left of the sweep then is nothing to tell of. */
static void dvci_visit_next_pair(dvci_step *s, int part_a, int part_b)
{
    DVC_STAGE("contacts");
    dvci_visit_pair(s, part_a, part_b);
    if (s->parts[part_a].kind != DVC_PLANE && s->parts[part_b].kind != DVC_PLANE) DVC_STAGE("pairs");
}

static void dvci_visit_pairs(dvci_step *s)
{
    if (!dvci_share_pairs(s)) dvci_sweep_pairs(s, dvci_visit_next_pair);
}

/* ---- islands ---- */

/* The island's step. What it adds to the step's sums and points is kept beside it. */
static void dvci_work_island(dvci_step *s, dvci_island *island)
{
    dvc_report report = s->report;
    dvci_work work = s->work;
    int points_wanted = s->points_wanted;
    bool approximate = s->approximate, bounced = s->bounced;
    island->first_cut = s->point_count;
    memset(&s->report, 0, sizeof s->report);
    memset(&s->work, 0, sizeof s->work);
    s->points_wanted = 0;
    s->approximate = s->bounced = s->rough = false;
    if (island->group_count + island->link_count > 0) dvci_advance_island(s, island, 0);
    else s->work = dvci_free_work(s, island); /* free motion is exact as it is */
    island->cut_count = s->point_count - island->first_cut;
    island->points_wanted = dvci_imax(0, s->points_wanted - island->first_cut);
    island->report = s->report;
    island->work = s->work;
    island->approximate = s->approximate;
    island->bounced = s->bounced;
    s->report = report;
    s->work = work;
    s->points_wanted = points_wanted;
    s->approximate = approximate;
    s->bounced = bounced;
}

static void dvci_add_work(dvci_work *sum, dvci_work more)
{
    sum->allowed += more.allowed;
    sum->put += more.put;
    sum->recovered += more.recovered;
    sum->bounced += more.bounced;
}

/* Adds what the island has come to; its points are the next ones. */
static void dvci_count_island(dvci_step *s, const dvci_island *island, int points)
{
    const dvc_report *own = &island->report;
    s->report.residual = dvci_max(s->report.residual, own->residual);
    s->report.iterations += own->iterations;
    s->report.inexact += own->inexact;
    s->report.fallbacks += own->fallbacks;
    s->report.problems += own->problems;
    s->report.largest_problem = dvci_imax(s->report.largest_problem, own->largest_problem);
    s->report.flips += own->flips;
    s->report.cuts += own->cuts;
    s->report.corrections += own->corrections;
    s->report.halvings += own->halvings;
    s->report.stiffened += own->stiffened;
    dvci_add_work(&s->work, island->work);
    s->approximate = s->approximate || island->approximate;
    s->bounced = s->bounced || island->bounced;
    s->points_wanted = dvci_imax(s->points_wanted, points + island->points_wanted);
}

/* Does it touch a body that moves as told? */
static bool dvci_island_is_moved(const dvci_step *s, const dvci_island *island)
{
    int i, k;
    for (i = 0; i < island->group_count; i++)
        for (k = 0; k < 2; k++)
            if (s->world->bodies[dvci_group_body(s, dvci_island_group(s, island, i), k)].kind == DVC_KINEMATIC) return true;
    for (i = 0; i < island->link_count; i++) {
        const dvci_link *link = dvci_island_link(s, island, i);
        if (s->world->bodies[link->body_b].kind == DVC_KINEMATIC) return true;
        if (link->body_a >= 0 && s->world->bodies[link->body_a].kind == DVC_KINEMATIC) return true;
    }
    return false;
}

/* Gives every thread its stretch of the islands, by the work in them; returns how many threads there is work for. What is still is
 * only looked at, which is less work than to hand it over. */
static int dvci_assign_islands(dvci_step *s)
{
    int i, moving = 0, islands = 0, count;
    int64_t all = 0, done = 0;
    for (i = 0; i < s->island_count; i++) {
        int size = s->islands[i].group_count + s->islands[i].link_count;
        islands += size > 0;
        all += 1 + 4 * size;
        if (!dvci_island_is_still(s, &s->islands[i])) moving += size;
    }
    count = dvci_imin(dvci_imin(s->threads, islands), moving / DVCI_THREAD_GROUPS);
    for (i = 0; i < s->island_count && count > 1; i++) {
        dvci_island *island = &s->islands[i];
        island->thread = dvci_island_is_moved(s, island) ? 0 : (int)(count * done / all);
        done += 1 + 4 * (island->group_count + island->link_count);
    }
    return count;
}

static void dvci_work_thread(void *data, int t)
{
    dvci_step *s = &((dvci_team *)data)->steps[t];
    int i;
    for (i = 0; i < s->island_count && s->status == DVC_OK; i++)
        if (s->islands[i].thread == t) dvci_work_island(s, &s->islands[i]);
}

/* Facets that were not foreseen begin among the points that checks have added. */
static void dvci_shift_spares(dvci_step *s, const dvci_island *island, int by)
{
    int i;
    for (i = 0; i < island->group_count; i++) {
        const dvci_group *g = dvci_island_group(s, island, i);
        if (g->chosen == g->count) s->facets[g->first + g->count].first += by;
    }
}

/* Points that checks have added go to where one thread would have put them. */
static bool dvci_collect_cuts(dvci_step *s)
{
    dvci_arena whole = s->arena;
    dvci_point *cuts;
    int i, count = 0, at = 0;
    for (i = 0; i < s->island_count; i++) count += s->islands[i].cut_count;
    cuts = (dvci_point *)dvci_alloc(&s->arena, (size_t)count, sizeof *cuts);
    if (s->arena.failed) return false;
    for (i = 0; i < s->island_count; at += s->islands[i++].cut_count) {
        memcpy(cuts + at, s->points + s->islands[i].first_cut, (size_t)s->islands[i].cut_count * sizeof *cuts);
        dvci_shift_spares(s, &s->islands[i], s->point_count + at - s->islands[i].first_cut);
    }
    memcpy(s->points + s->point_count, cuts, (size_t)count * sizeof *cuts);
    s->arena = whole;
    return true;
}

/* Islands by several threads; false: not worth it. */
static bool dvci_share_islands(dvci_step *s)
{
    dvci_team team;
    bool shared;
    int i;
    if (s->threads == 1) return false;
    memset(&team, 0, sizeof team);
    team.whole = s->arena;
    team.count = dvci_assign_islands(s);
    if (team.count < 2) return false;
    shared = dvci_team_share(s, &team, team.count);
    if (shared) dvci_run_threads(team.count, dvci_work_thread, &team);
    s->crowded = !dvci_team_dismiss(s, &team, shared) || !dvci_collect_cuts(s);
    for (i = 0; i < s->island_count && !s->crowded; i++) {
        dvci_count_island(s, &s->islands[i], s->point_count);
        s->point_count += s->islands[i].cut_count;
    }
    return true;
}

static void dvci_advance_islands(dvci_step *s)
{
    int i;
    DVC_STAGE("solve");
    if (dvci_share_islands(s)) return;
    for (i = 0; i < s->island_count && s->status == DVC_OK; i++) {
        dvci_work_island(s, &s->islands[i]);
        dvci_count_island(s, &s->islands[i], s->islands[i].first_cut);
    }
}

/* The attempt again, by one thread. */
static void dvci_attempt_alone(dvci_step *s)
{
    int repeats = s->report.repeats;
    s->threads = 1;
    s->crowded = false;
    s->arena.failed = false;
    memset(&s->report, 0, sizeof s->report);
    s->report.repeats = repeats;
    memset(&s->work, 0, sizeof s->work);
    dvci_attempt_step(s);
}

/* ------------------------------------------------------------------------------------------------
 * >>problem  points -> rows -> complementarity problem -> velocities
 * ------------------------------------------------------------------------------------------------
 * Stewart-Trinkle with the mass matrix eliminated (W 2.34-2.39, T 39-49). Per enforced point one normal row
 *
 *     0 <= rate + G'nu  _|_  p_n >= 0,       rate = gap / h (not below minus the recovery speed) + moving surroundings
 *
 * and, for friction over a pyramid with 2 k directions, k linked rows (see >>lcp), each a segment of the pyramid:
 *
 *     slip along g_j:   p_j = -c mu p_n where it is > 0,  +c mu p_n where it is < 0,  between where it is 0;  c = sin(pi / 2k).
 *
 * The literal form has the pyramid's rays beta_1 .. beta_nd and one row sigma for the cone instead (W 2.35): it serves odd
 * numbers of directions, the methods that know plain rows only, and those who ask for the problem.
 */
typedef enum dvci_row_kind {
    DVCI_ROW_NORMAL, DVCI_ROW_SEGMENT, DVCI_ROW_RAY, DVCI_ROW_CONE, DVCI_ROW_SLACK, DVCI_ROW_LINK
} dvci_row_kind;

typedef struct dvci_rows {
    int count, width;
    int *point;          /* (count) which point a row belongs to; -1 - k: row k of the links */
    unsigned char *kind; /* (count) dvci_row_kind */
    int *owner;          /* (count) the normal row of the same point; -1: this is it */
    dvc_vec3 *along;     /* (count) direction of the force on body b */
    int *body;           /* (2 count) dynamic bodies the row acts on, -1: none */
    dvc_real *force;     /* (2 count x width) G: what a unit impulse adds to momentum */
    dvc_real *moved;     /* (2 count x width) M^-1 G */
    dvc_real *measured;  /* (2 count x width) the row that is measured; G' at the start, G+' at the end pose */
    dvc_real *rate;      /* (count) */
    dvc_real *z;         /* (count) impulses */
    dvc_real *y;         /* (count) the same in units of `moved`, which a product scales */
    int *list_first;     /* (bodies of the island + 1) rows of each body: */
    int *list;           /* (2 count) as 2 row + side */
    int fan;             /* directions of friction of the point before; cosine and sine of the angle from its first tangent */
    dvc_real fan_start[2], fan_turn[2]; /* to its first segment, and from one segment to the next */
} dvci_rows;

/* A sub-contact of a literal I-constraint that carries no force: its row compares gaps. */
static bool dvci_point_is_slack(const dvci_step *s, const dvci_point *point)
{
    return s->groups[point->group].literal && point->facet > 0;
}

/* How friction enters: as linked segments, as the pyramid's rays, or not at all. */
typedef enum dvci_friction_form { DVCI_SEGMENTS, DVCI_RAYS, DVCI_FRICTIONLESS } dvci_friction_form;

static int dvci_point_row_count(const dvci_step *s, const dvci_point *point, dvci_friction_form form)
{
    int nd = s->groups[point->group].directions;
    if (nd == 0 || form == DVCI_FRICTIONLESS || dvci_point_is_slack(s, point)) return 1;
    return form == DVCI_RAYS || nd % 2 ? 2 + nd : 1 + nd / 2;
}

/* Of all the points; beyond DVCI_MOST_ROWS it does not matter how many. */
static int dvci_count_point_rows(const dvci_step *s, const int *points, int count, dvci_friction_form form)
{
    int i, rows = 0;
    for (i = 0; i < count && rows <= DVCI_MOST_ROWS; i++) rows += dvci_point_row_count(s, &s->points[points[i]], form);
    return rows;
}

static void dvci_rows_carve(dvci_rows *r, int count, int width, int bodies, dvci_arena *arena)
{
    size_t n = (size_t)count, size = 2 * n * (size_t)width;
    r->count = count;
    r->width = width;
    r->point = dvci_alloc_ints(arena, n);
    r->kind = (unsigned char *)dvci_alloc(arena, n, 1);
    r->owner = dvci_alloc_ints(arena, n);
    r->along = (dvc_vec3 *)dvci_alloc(arena, n, sizeof(dvc_vec3));
    r->body = dvci_alloc_ints(arena, 2 * n);
    r->force = dvci_alloc_reals(arena, size);
    r->moved = dvci_alloc_reals(arena, size);
    r->measured = dvci_alloc_reals(arena, size);
    r->rate = dvci_alloc_reals(arena, n);
    r->z = dvci_alloc_reals(arena, n);
    r->y = dvci_alloc_reals(arena, n);
    r->list_first = dvci_alloc_ints(arena, (size_t)bodies + 1);
    r->list = dvci_alloc_ints(arena, 2 * n);
}

/* One body's part of a row: a linear and an angular direction in `width` numbers. */
static void dvci_row_part(int width, dvc_vec3 linear, dvc_vec3 angular, dvc_real *row)
{
    if (width == 3) {
        row[0] = linear.x; row[1] = linear.y; row[2] = angular.z;
    } else {
        row[0] = linear.x; row[1] = linear.y; row[2] = linear.z;
        row[3] = angular.x; row[4] = angular.y; row[5] = angular.z;
    }
}

static dvc_real dvci_row_dot(int width, const dvc_real *x, const dvc_real *y)
{
    dvc_real sum = x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
    return width == 3 ? sum : sum + (x[3] * y[3] + x[4] * y[4] + x[5] * y[5]);
}

/* The part of row r on its body of one side (0: a, 1: b). */
static dvc_real *dvci_row_at(const dvci_rows *r, dvc_real *rows, int row, int side)
{
    return rows + (size_t)(2 * row + side) * (size_t)r->width;
}

/* What a unit impulse of the row does to its body of one side (index -1: none), as momentum and as velocity. */
static void dvci_row_force(const dvci_step *s, dvci_rows *r, int row, int side, int index, dvc_vec3 linear, dvc_vec3 angular)
{
    const dvci_body *body = index >= 0 && s->bodies[index].dynamic ? &s->bodies[index] : NULL;
    dvc_vec3 v = dvci_vec(0, 0, 0), w = v;
    r->body[2 * row + side] = body ? index : -1;
    if (body) {
        v = dvci_scale(linear, body->inverse_mass);
        w = dvci_mul(body->inverse_inertia, angular);
    } else {
        linear = angular = v;
    }
    dvci_row_part(r->width, linear, angular, dvci_row_at(r, r->force, row, side));
    dvci_row_part(r->width, v, w, dvci_row_at(r, r->moved, row, side));
}

/* What is measured, where the body is one that moves. */
static void dvci_row_measure(dvci_rows *r, int row, dvc_vec3 row_v, dvc_vec3 row_a, dvc_vec3 row_b)
{
    if (r->body[2 * row] >= 0) dvci_row_part(r->width, dvci_neg(row_v), row_a, dvci_row_at(r, r->measured, row, 0));
    if (r->body[2 * row + 1] >= 0) dvci_row_part(r->width, row_v, row_b, dvci_row_at(r, r->measured, row, 1));
}

static int dvci_add_row(const dvci_step *s, dvci_rows *r, int row, dvci_row_kind kind, int point, int owner, dvc_vec3 along)
{
    const dvci_point *at = &s->points[point];
    const dvci_group *g = &s->groups[at->group];
    dvc_vec3 back = dvci_neg(along);
    r->point[row] = point;
    r->kind[row] = (unsigned char)kind;
    r->owner[row] = owner;
    r->along[row] = along;
    r->rate[row] = 0;
    dvci_row_force(s, r, row, 0, dvci_group_body(s, g, 0), back, dvci_cross(at->arm_a, back));
    dvci_row_force(s, r, row, 1, dvci_group_body(s, g, 1), along, dvci_cross(at->arm_b, along));
    memcpy(dvci_row_at(r, r->measured, row, 0), dvci_row_at(r, r->force, row, 0), 2 * (size_t)r->width * sizeof(dvc_real));
    return row + 1;
}

/* The normal row as measured by the point (>>end may have moved it to the end pose). */
static void dvci_measure_normal(dvci_rows *r, int row, const dvci_point *point)
{
    dvci_row_measure(r, row, point->row_v, point->row_a, point->row_b);
    r->rate[row] = point->rate;
}

static int dvci_add_link_rows(const dvci_step *s, dvci_rows *r, int row, const dvci_link *link)
{
    int k;
    for (k = link->first; k < link->first + link->count; k++) {
        const dvci_link_row *from = &s->link_rows[k];
        if (from->spare) continue;
        r->point[row] = -1 - k;
        r->kind[row] = DVCI_ROW_LINK;
        r->owner[row] = -1;
        r->along[row] = from->force_v;
        r->rate[row] = from->rate;
        dvci_row_force(s, r, row, 0, link->body_a, dvci_neg(from->force_v), from->force_a);
        dvci_row_force(s, r, row, 1, link->body_b, from->force_v, from->force_b);
        memset(dvci_row_at(r, r->measured, row, 0), 0, 2 * (size_t)r->width * sizeof(dvc_real));
        dvci_row_measure(r, row, from->row_v, from->row_a, from->row_b);
        row++;
    }
    return row;
}

static dvc_vec3 dvci_in_plane(const dvci_point *point, dvc_real angle)
{
    dvc_real sine, cosine;
    dvci_sin_cos(angle, &sine, &cosine);
    return dvci_madd(dvci_scale(point->slip_1, cosine), point->slip_2, sine);
}

/* The angle whose cosine and sine are in `at` grows by another. */
static void dvci_turn_on(dvc_real *at, dvc_real cosine, dvc_real sine)
{
    dvc_real x = at[0] * cosine - at[1] * sine;
    at[1] = at[1] * cosine + at[0] * sine;
    at[0] = x;
}

/* Angles between nd directions are the same at every point. */
static void dvci_rows_fan(dvci_rows *r, int nd)
{
    if (nd == r->fan) return;
    r->fan = nd;
    dvci_sin_cos(DVCI_PI / (dvc_real)nd + DVCI_PI / 2, &r->fan_start[1], &r->fan_start[0]);
    dvci_sin_cos(2 * DVCI_PI / (dvc_real)nd, &r->fan_turn[1], &r->fan_turn[0]);
}

/* W 4.10: 0 <= c_1 + .. + c_j + (gap rate of the primary) - (gap rate of this one) _|_ c_j >= 0. The primary's row is the last
 * normal row before. */
static int dvci_add_slack_row(const dvci_step *s, dvci_rows *r, int row, int index)
{
    const dvci_point *point = &s->points[index];
    int owner = row - 1, k;
    while (owner > 0 && r->kind[owner] != DVCI_ROW_NORMAL) owner--;
    DVC_ASSERT(owner >= 0 && r->kind[owner] == DVCI_ROW_NORMAL && s->points[r->point[owner]].group == point->group);
    dvci_add_row(s, r, row, DVCI_ROW_SLACK, index, owner, dvci_vec(0, 0, 0));
    dvci_measure_normal(r, row, point);
    for (k = 0; k < 2 * r->width; k++) {
        dvc_real *own = dvci_row_at(r, r->measured, row, 0) + k;
        *own = dvci_row_at(r, r->measured, owner, 0)[k] - *own;
    }
    r->rate[row] = r->rate[owner] - r->rate[row];
    return row + 1;
}

/* All rows of one point. */
static int dvci_add_point_rows(const dvci_step *s, dvci_rows *r, int row, int index, dvci_friction_form form)
{
    const dvci_point *point = &s->points[index];
    const dvci_group *g = &s->groups[point->group];
    int normal = row, nd = form == DVCI_FRICTIONLESS ? 0 : g->directions, k;
    bool rays = form == DVCI_RAYS || nd % 2;
    dvc_real along[2] = { 1, 0 }, turn[2] = { 1, 0 };
    dvc_vec3 given = dvci_add(dvci_add(dvci_given_velocity(s, point), g->surface), point->bend);
    if (dvci_point_is_slack(s, point)) return dvci_add_slack_row(s, r, row, index);
    row = dvci_add_row(s, r, row, DVCI_ROW_NORMAL, index, -1, point->normal);
    dvci_measure_normal(r, normal, point);
    if (!rays && nd > 0) {
        dvci_rows_fan(r, nd);
        along[0] = r->fan_start[0];
        along[1] = r->fan_start[1];
        if (point->tangent != 0) dvci_sin_cos(point->tangent, &turn[1], &turn[0]);
        dvci_turn_on(along, turn[0], turn[1]);
    }
    for (k = 0; k < (rays ? nd : nd / 2); k++) {
        dvc_vec3 direction = rays ? dvci_in_plane(point, point->tangent + 2 * DVCI_PI * (dvc_real)k / (dvc_real)nd)
                                  : dvci_madd(dvci_scale(point->slip_1, along[0]), point->slip_2, along[1]);
        row = dvci_add_row(s, r, row, rays ? DVCI_ROW_RAY : DVCI_ROW_SEGMENT, index, normal, direction);
        r->rate[row - 1] = dvci_dot(direction, given);
        dvci_turn_on(along, r->fan_turn[0], r->fan_turn[1]);
    }
    return rays && nd > 0 ? dvci_add_row(s, r, row, DVCI_ROW_CONE, index, normal, dvci_vec(0, 0, 0)) : row;
}

/* Rows of each body, so that only rows that share one are multiplied. */
static void dvci_list_rows(const dvci_step *s, const dvci_island *island, dvci_rows *r)
{
    int i, k, *first = r->list_first;
    for (i = 0; i <= island->body_count; i++) first[i] = 0;
    for (k = 0; k < 2 * r->count; k++)
        if (r->body[k] >= 0) first[s->bodies[r->body[k]].slot + 1]++;
    for (i = 0; i < island->body_count; i++) first[i + 1] += first[i];
    for (k = 0; k < 2 * r->count; k++)
        if (r->body[k] >= 0) r->list[first[s->bodies[r->body[k]].slot]++] = k;
    for (i = island->body_count; i > 0; i--) first[i] = first[i - 1];
    first[0] = 0;
}

static bool dvci_rows_build(const dvci_step *s, const dvci_island *island, const int *points, int count,
                            dvci_friction_form form, dvci_rows *r, dvci_arena *arena)
{
    int i, k, rows = 0;
    for (i = 0; i < island->link_count; i++) {
        const dvci_link *link = dvci_island_link(s, island, i);
        for (k = link->first; k < link->first + link->count; k++) rows += !s->link_rows[k].spare;
    }
    if (rows <= DVCI_MOST_ROWS) rows += dvci_count_point_rows(s, points, count, form);
    if (rows > DVCI_MOST_ROWS) dvci_alloc(arena, (size_t)-1, 1); /* more than there is */
    dvci_rows_carve(r, rows, s->width, island->body_count, arena);
    r->fan = 0;
    if (arena->failed) return false;
    for (i = 0, rows = 0; i < island->link_count; i++) rows = dvci_add_link_rows(s, r, rows, dvci_island_link(s, island, i));
    for (i = 0; i < count; i++) rows = dvci_add_point_rows(s, r, rows, points[i], form);
    dvci_list_rows(s, island, r);
    return true;
}

static dvci_link_row *dvci_row_link(const dvci_step *s, const dvci_rows *r, int row) { return &s->link_rows[-1 - r->point[row]]; }

/* A as a product, in the units of the world. False: cones and slacks have more to say than a product can. */
static bool dvci_make_product(const dvci_step *s, const dvci_island *island, const dvci_rows *r, dvci_product *q,
                              dvci_arena *arena)
{
    size_t n = (size_t)r->count;
    dvci_matter *matter = (dvci_matter *)dvci_alloc(arena, (size_t)island->body_count, sizeof *matter);
    int *body = dvci_alloc_ints(arena, 2 * n), i;
    bool plain = true;
    q->width = r->width;
    q->bodies = island->body_count;
    q->body = body;
    q->row = r->measured;
    q->column = r->moved;
    q->force = r->force;
    q->matter = matter;
    q->extra = dvci_alloc_reals(arena, n);
    q->list_first = r->list_first;
    q->list = r->list;
    q->nu = dvci_alloc_reals(arena, (size_t)q->bodies * (size_t)q->width);
    if (arena->failed) return false;
    for (i = 0; i < 2 * r->count; i++) body[i] = r->body[i] < 0 ? -1 : s->bodies[r->body[i]].slot;
    for (i = 0; i < island->body_count; i++) {
        matter[i].inverse_mass = dvci_island_body(s, island, i)->inverse_mass;
        matter[i].inverse_inertia = dvci_island_body(s, island, i)->inverse_inertia;
    }
    for (i = 0; i < r->count; i++) {
        q->extra[i] = r->kind[i] == DVCI_ROW_LINK ? dvci_row_link(s, r, i)->compliance : 0;
        plain = plain && r->kind[i] != DVCI_ROW_CONE && r->kind[i] != DVCI_ROW_SLACK;
    }
    return plain;
}

/* Normal rows and links give way by a part of their diagonal. */
static void dvci_soften(const dvci_rows *r, dvc_real compliance, dvci_mcp *p, dvci_product *q)
{
    int i;
    for (i = 0; i < r->count; i++)
        if (r->kind[i] == DVCI_ROW_NORMAL || r->kind[i] == DVCI_ROW_LINK) q->extra[i] += compliance * dvci_mcp_diagonal(p, i);
}

/* b = rate + measured nu_free. Normal and friction rows alike read displacements: v and the mean turn w + gyro. Were they to
 * read different velocities, jammed bodies would have no solution. */
static void dvci_free_rates(const dvci_step *s, dvci_rows *r, dvc_real *b)
{
    dvc_real nu[6];
    int i, side;
    for (i = 0; i < r->count; i++)
        for (b[i] = r->rate[i], side = 0; side < 2; side++) {
            const dvci_body *body;
            if (r->body[2 * i + side] < 0) continue;
            body = &s->bodies[r->body[2 * i + side]];
            dvci_row_part(r->width, body->v_free, dvci_add(body->w_free, body->gyro), nu);
            b[i] += dvci_row_dot(r->width, dvci_row_at(r, r->measured, i, side), nu);
        }
}

/* Bounds and links of the rows, in their own units. */
static void dvci_bound_rows(const dvci_step *s, const dvci_rows *r, dvci_mcp *p)
{
    int i, nd = 0;
    dvc_real sine = 0, cosine;
    for (i = 0; i < r->count; i++) {
        p->owner[i] = -1;
        p->lower[i] = 0;
        p->upper[i] = DVC_INFINITY;
        if (r->kind[i] == DVCI_ROW_SEGMENT) {
            const dvci_group *g = &s->groups[s->points[r->point[i]].group];
            if (g->directions != nd) dvci_sin_cos(DVCI_PI / (dvc_real)g->directions, &sine, &cosine);
            nd = g->directions;
            p->owner[i] = r->owner[i];
            p->upper[i] = g->friction * sine;
        } else if (r->kind[i] == DVCI_ROW_LINK) {
            p->lower[i] = dvci_row_link(s, r, i)->lower;
            p->upper[i] = dvci_row_link(s, r, i)->upper;
        }
    }
}

/* What the literal forms have in the matrix besides the product: cones and slacks. */
static void dvci_join_rows(const dvci_step *s, const dvci_rows *r, dvci_mcp *p)
{
    size_t n = (size_t)p->n;
    int i, k;
    for (i = 0; i < r->count; i++) {
        if (r->kind[i] == DVCI_ROW_SLACK) { /* earlier slacks count in later rows of the group, all of them in the primary's */
            p->A[(size_t)i * n + (size_t)r->owner[i]] += 1;
            for (k = i; k < r->count && r->kind[k] == DVCI_ROW_SLACK && r->owner[k] == r->owner[i]; k++)
                p->A[(size_t)i * n + (size_t)k] += 1;
        }
        if (r->kind[i] == DVCI_ROW_CONE) { /* mu p_n - sum beta; sigma in the rays' rows */
            p->A[(size_t)r->owner[i] * n + (size_t)i] = s->groups[s->points[r->point[i]].group].friction;
            for (k = r->owner[i] + 1; k < i; k++) {
                p->A[(size_t)k * n + (size_t)i] = -1;
                p->A[(size_t)i * n + (size_t)k] = 1;
            }
        }
    }
}

/* Scales rows and columns by powers of two so that everything reads as a velocity in units of `size`: an impulse is
 * measured by the velocity it causes in its own row. */
static void dvci_scale_problem(dvci_mcp *p, const dvci_rows *r, dvci_product *product, dvc_real size)
{
    dvc_real *unit = p->unit;
    int i, j;
    for (j = 0; j < p->n; j++) {
        dvc_real diagonal = dvci_mcp_diagonal(p, j);
        unit[j] = diagonal > 0 ? 1 / dvci_power_of_two(diagonal) : 1;
    }
    for (j = 0; j < p->n; j++) {
        dvc_real *column = p->product ? product->column + 2 * (size_t)j * (size_t)r->width : p->A + (size_t)j * (size_t)p->n;
        if (p->product) {
            for (i = 0; i < 2 * r->width; i++) column[i] *= unit[j];
            product->extra[j] *= unit[j];
            continue;
        }
        for (i = 0; i < p->n; i++)
            if (column[i] != 0) column[i] *= unit[j] / (r->kind[i] == DVCI_ROW_CONE ? unit[r->owner[i]] : 1);
    }
    for (i = 0; i < p->n; i++) {
        p->b[i] /= size;
        if (p->owner[i] >= 0) {
            p->upper[i] *= unit[p->owner[i]] / unit[i];
        } else {
            if (!dvci_no_bound(p->lower[i])) p->lower[i] /= unit[i] * size;
            if (!dvci_no_bound(p->upper[i])) p->upper[i] /= unit[i] * size;
        }
    }
}

/* How the link's row ended; one that is new, as if it were alone. */
static signed char dvci_recall_link_mode(const dvci_link_row *row, const dvci_mcp *p, int i)
{
    dvc_real alone = -p->b[i];
    if (p->lower[i] <= -DVC_INFINITY && p->upper[i] >= DVC_INFINITY) return 0;
    if (row->mode != 2) return row->mode;
    alone /= dvci_max(dvci_mcp_diagonal(p, i), DVCI_LCP_SAME);
    return (signed char)(alone <= p->lower[i] ? -1 : alone >= p->upper[i] ? 1 : 0);
}

/* Modes that the point's rows ended with, two bits a row; the top bit: known. A new contact is tried as touching if it does, or
 * if the free motion closes it; as sticking if the free slip is no more than its weight makes in a step. */
static void dvci_recall_modes(const dvci_step *s, const dvci_rows *r, dvc_real size, dvci_task *task)
{
    dvc_real calm = DVCI_LCP_SAME + 2 * s->gravity * s->h / size;
    int i, k = 0;
    for (i = 0; i < r->count; i++) {
        uint32_t warm;
        if (r->kind[i] == DVCI_ROW_LINK) {
            task->mode[i] = dvci_recall_link_mode(dvci_row_link(s, r, i), task->p, i);
            continue;
        }
        warm = s->points[r->point[i]].warm;
        k = r->owner[i] < 0 || r->kind[i] == DVCI_ROW_SLACK ? 0 : k + 1;
        if (task->p->lower[i] <= -DVC_INFINITY) task->mode[i] = 0;
        else if (warm >> 31 && k < 15) task->mode[i] = (signed char)((int)(warm >> (2 * k) & 3u) - 1);
        else if (k == 0) task->mode[i] = (signed char)(task->p->b[i] <= DVCI_LCP_SAME ? 0 : -1);
        else task->mode[i] = (signed char)(task->p->b[i] > calm ? -1 : task->p->b[i] < -calm ? 1 : 0);
    }
}

/* z from what the points and links carried last, in this step or the one before; friction is spread evenly over its segments. */
static void dvci_recall_impulses(const dvci_step *s, const dvci_rows *r, dvc_real size, dvci_task *task)
{
    int i;
    for (i = 0; i < r->count; i++) {
        dvc_real known = 0;
        if (r->kind[i] == DVCI_ROW_LINK) {
            known = dvci_row_link(s, r, i)->impulse;
        } else {
            const dvci_point *point = &s->points[r->point[i]];
            int segments = s->groups[point->group].directions / 2;
            if (r->kind[i] == DVCI_ROW_NORMAL) known = point->impulse;
            if (r->kind[i] == DVCI_ROW_SEGMENT)
                known = dvci_dot(point->friction, r->along[i]) * (segments > 1 ? 2 / (dvc_real)segments : 1);
        }
        task->z[i] = known / (task->p->unit[i] * size);
    }
}

static void dvci_remember_modes(dvci_step *s, const dvci_rows *r, const dvci_task *task)
{
    int i, k = 0;
    for (i = 0; i < r->count; i++) {
        dvci_point *point;
        if (r->kind[i] == DVCI_ROW_LINK) {
            dvci_row_link(s, r, i)->mode = task->mode[i];
            continue;
        }
        point = &s->points[r->point[i]];
        k = r->owner[i] < 0 || r->kind[i] == DVCI_ROW_SLACK ? 0 : k + 1;
        if (k == 0) point->warm = 1u << 31;
        if (k < 15) point->warm |= (uint32_t)(task->mode[i] + 1) << (2 * k);
    }
}

/* What the impulses add to a body's velocities. */
static void dvci_body_gains(const dvci_rows *r, int slot, dvc_vec3 *v, dvc_vec3 *w)
{
    dvc_real nu[6];
    int k;
    for (k = 0; k < 6; k++) nu[k] = 0;
    for (k = r->list_first[slot]; k < r->list_first[slot + 1]; k++)
        if (r->y[r->list[k] / 2] != 0)
            dvci_axpy(r->width, r->y[r->list[k] / 2], r->moved + (size_t)r->list[k] * (size_t)r->width, nu);
    *v = dvci_add(*v, r->width == 3 ? dvci_vec(nu[0], nu[1], 0) : dvci_vec(nu[0], nu[1], nu[2]));
    *w = dvci_add(*w, r->width == 3 ? dvci_vec(0, 0, nu[2]) : dvci_vec(nu[3], nu[4], nu[5]));
}

/* Impulses to points and links, velocities to bodies. */
static void dvci_take_solution(dvci_step *s, const dvci_island *island, const dvci_rows *r)
{
    int i;
    for (i = 0; i < r->count; i++) {
        dvci_point *point = r->kind[i] == DVCI_ROW_LINK ? NULL : &s->points[r->point[i]];
        if (!point) {
            dvci_row_link(s, r, i)->impulse = r->z[i];
        } else if (r->kind[i] == DVCI_ROW_NORMAL) {
            point->impulse = r->z[i];
            point->friction = dvci_vec(0, 0, 0);
            point->goes_on = false;
        } else if (r->kind[i] == DVCI_ROW_SEGMENT || r->kind[i] == DVCI_ROW_RAY) {
            point->friction = dvci_madd(point->friction, r->along[i], r->z[i]);
        }
    }
    for (i = 0; i < island->body_count; i++) {
        dvci_body *body = dvci_island_body(s, island, i);
        body->v = body->v_free;
        body->w = body->w_free;
        dvci_body_gains(r, i, &body->v, &body->w);
    }
}

typedef struct dvci_solution {
    dvc_status status;
    dvc_real residual;  /* in units of the step's V */
    int iterations, unknowns;
    bool dependent;     /* rows depend on each other */
    bool other_method;  /* than the world asks for */
    bool approximate;   /* a large problem, not to tolerance */
} dvci_solution;

static bool dvci_task_carve(dvci_task *task, dvci_mcp *p, int n, dvci_arena *arena)
{
    memset(task, 0, sizeof *task);
    dvci_mcp_carve_vectors(p, n, arena);
    task->p = p;
    task->z = dvci_alloc_reals(arena, (size_t)n);
    task->w = dvci_alloc_reals(arena, (size_t)n);
    task->mode = dvci_alloc_modes(arena, (size_t)n);
    task->arena = arena;
    return !arena->failed;
}

static dvci_friction_form dvci_form_for(dvc_solver method)
{
    return method == DVC_INTERIOR_POINT || method == DVC_FISCHER_NEWTON ? DVCI_RAYS : DVCI_SEGMENTS;
}

/* A problem ready for a method, with the rows it came from. */
typedef struct dvci_setup {
    dvci_rows r;
    dvci_product product;
    dvci_mcp p;
    dvci_task task;
    dvc_real size; /* the speed that counts as 1 */
    bool plain;    /* the matrix is the product alone, whose columns are scaled */
} dvci_setup;

/* Sets up the problem of the points: from free motion, or, `on_top`, from what the island does now, the rates being all there
 * is. False: too little memory. */
static bool dvci_set_up(dvci_step *s, const dvci_island *island, const int *points, int count, dvci_friction_form form,
                        bool on_top, dvc_real compliance, dvci_setup *q)
{
    int i;
    q->size = dvci_power_of_two(s->speed);
    if (!dvci_rows_build(s, island, points, count, form, &q->r, &s->arena)) return false;
    if (!dvci_task_carve(&q->task, &q->p, q->r.count, &s->arena)) return false;
    q->plain = dvci_make_product(s, island, &q->r, &q->product, &s->arena);
    if (s->arena.failed) return false;
    q->p.product = &q->product;
    if (compliance > 0) dvci_soften(&q->r, compliance, &q->p, &q->product);
    if (!q->plain) {
        if (!dvci_mcp_form(&q->p, &s->arena)) return false;
        dvci_join_rows(s, &q->r, &q->p);
    }
    if (on_top) memcpy(q->p.b, q->r.rate, (size_t)q->p.n * sizeof *q->p.b);
    else dvci_free_rates(s, &q->r, q->p.b);
    dvci_bound_rows(s, &q->r, &q->p);
    dvci_scale_problem(&q->p, &q->r, &q->product, q->size);
    for (i = 0; i < q->p.n; i++) q->task.z[i] = 0;
    q->task.tolerance = dvci_tolerance(s->world);
    return true;
}

/* From the problem's units to those of the world, and of the rows' columns. */
static void dvci_export_impulses(dvci_setup *q)
{
    int i;
    for (i = 0; i < q->p.n; i++) {
        q->r.z[i] = q->task.z[i] * q->p.unit[i] * q->size;
        q->r.y[i] = q->plain ? q->task.z[i] * q->size : q->r.z[i];
    }
}

/* Impulses are left in r.z: on or between their bounds, whatever the method has come to. */
static dvci_solution dvci_solve_setup(const dvci_step *s, dvc_solver method, dvci_setup *q)
{
    dvci_solution solution;
    bool moved;
    memset(&solution, 0, sizeof solution);
    solution.status = dvci_solve_by(method, &q->task);
    solution.iterations = q->task.iterations;
    solution.dependent = q->task.dependent;
    solution.unknowns = q->p.n;
    if (solution.status == DVC_ERROR_SCRATCH) return solution;
    moved = dvci_mcp_project(&q->p, q->task.z);
    solution.residual = solution.status == DVC_OK && !moved ? q->task.residual : dvci_mcp_residual(&q->task);
    solution.residual *= q->size / s->speed;
    dvci_export_impulses(q);
    return solution;
}

static void dvci_count_solution(dvci_step *s, const dvci_solution *solution)
{
    s->report.problems++;
    s->report.iterations += solution->iterations;
    s->report.largest_problem = dvci_imax(s->report.largest_problem, solution->unknowns);
    if (solution->status == DVC_ERROR_SCRATCH) s->status = DVC_ERROR_SCRATCH;
}

static dvci_solution dvci_no_memory(void)
{
    dvci_solution solution;
    memset(&solution, 0, sizeof solution);
    solution.status = DVC_ERROR_SCRATCH;
    return solution;
}

/* Two points of a pair that stick, or four that push, say more than a body can do. */
static bool dvci_expects_dependent(const dvci_step *s, const int *points, int count)
{
    int i, run = 0;
    for (i = 0; i < count; i++) {
        const dvci_point *point = &s->points[points[i]];
        run = i > 0 && point->group == s->points[points[i - 1]].group ? run + 1 : 1;
        if (run >= (s->groups[point->group].directions > 0 ? 2 : 4)) return true;
    }
    return false;
}

/* Overlap that sweeps do not wholly make good throws bodies to and fro: of large islands a part of it is made good in each step. */
static void dvci_ease_overlap(dvci_setup *q)
{
    int i;
    for (i = 0; i < q->p.n; i++)
        if (q->r.kind[i] == DVCI_ROW_NORMAL && q->r.rate[i] < 0) q->p.b[i] -= (1 - DVCI_LARGE_RECOVERY) * q->r.rate[i] / q->size;
}

/* Builds and solves the problem of the given points with one method; on success bodies and points have the solution. */
static dvci_solution dvci_solve_with(dvci_step *s, const dvci_island *island, const int *points, int count, dvc_solver method,
                                     bool symmetric, dvc_real compliance)
{
    size_t mark = s->arena.used;
    dvci_solution solution = dvci_no_memory();
    dvci_setup q;
    int i;
    if (!dvci_set_up(s, island, points, count, dvci_form_for(method), false, compliance, &q)) return solution;
    for (q.p.symmetric = symmetric, i = 0; i < q.p.n; i++)
        q.p.symmetric = q.p.symmetric && (q.r.kind[i] == DVCI_ROW_NORMAL || q.r.kind[i] == DVCI_ROW_LINK);
    q.task.warm = dvci_diagonal_positive(&q.p);
    q.task.dependent = dvci_expects_dependent(s, points, count);
    q.task.large = island->large;
    q.task.rough = s->rough;
    q.task.stands = s->stands;
    if (q.task.large && !s->leaving) dvci_ease_overlap(&q);
    q.task.sweeps = q.task.large ? s->world->iterations > 0 ? s->world->iterations : DVCI_LARGE_SWEEPS : 0;
    q.task.watch = s->watch;
    dvci_recall_modes(s, &q.r, q.size, &q.task);
    dvci_recall_impulses(s, &q.r, q.size, &q.task);
    solution = dvci_solve_setup(s, method, &q);
    if (method == DVC_AUTO && solution.status == DVC_ERROR_LCP_LIMIT && !s->stands) {
        solution.status = DVC_OK;
        solution.approximate = s->rough = true;
    }
    if (solution.status == DVC_OK || (compliance > 0 && solution.status != DVC_ERROR_SCRATCH)) { /* nothing of what failed */
        dvci_remember_modes(s, &q.r, &q.task);
        dvci_take_solution(s, island, &q.r);
    }
    s->arena.used = mark;
    return solution;
}

/* ---- what rests ----
 * Where nothing has changed, what the points carried in the last step solves this one, too. That is seen over the bodies, without
 * rows or a factor: if bodies are still but for rounding, and the impulses add no more than rounding, they keep still, to the bit,
 * if that is right for every point. Points that slip and links are left to the solvers.
 */

static bool dvci_may_stand(const dvci_step *s, const dvci_island *island)
{
    return s->world->contact_model == DVC_PEG && s->world->solver == DVC_AUTO && !s->world->solve && island->link_count == 0;
}

/* Gaps that a heap may stand with, all its rows anew; or only those that were none before. */
static void dvci_forgive_standing(dvci_step *s, const dvci_island *island, bool forgive)
{
    int i, k;
    for (i = 0; i < island->group_count; i++) {
        dvci_group *g = dvci_island_group(s, island, i);
        const dvci_facet *last = &s->facets[g->first + g->count - 1];
        if (forgive) g->fine = g->rounding;
        g->rounding = forgive ? dvci_max(g->rounding, DVCI_GAP_STAND * g->size) : g->fine;
        for (k = s->facets[g->first].first; k < last->first + last->count; k++) dvci_point_start_row(s, &s->points[k]);
        for (k = s->base_points; g->cuts > 0 && k < s->point_count; k++)
            if (s->points[k].group == g - s->groups) dvci_point_start_row(s, &s->points[k]);
    }
}

/* What forces and the points' impulses add to the velocities of the island's bodies, as the bodies' v and w. */
static void dvci_add_up_impulses(dvci_step *s, const dvci_island *island, const int *points, int count)
{
    int i, k;
    for (i = 0; i < island->body_count; i++)
        dvci_island_body(s, island, i)->v = dvci_island_body(s, island, i)->w = dvci_vec(0, 0, 0); /* momentum, as yet */
    for (i = 0; i < count; i++) {
        const dvci_point *point = &s->points[points[i]];
        const dvci_group *g = &s->groups[point->group];
        dvc_vec3 push = dvci_madd(point->friction, point->normal, point->impulse);
        for (k = 0; k < 2; k++) {
            dvci_body *body = &s->bodies[dvci_group_body(s, g, k)];
            dvc_vec3 own = k ? push : dvci_neg(push);
            if (!body->dynamic) continue;
            body->v = dvci_add(body->v, own);
            body->w = dvci_add(body->w, dvci_cross(k ? point->arm_b : point->arm_a, own));
        }
    }
    for (i = 0; i < island->body_count; i++) {
        dvci_body *body = dvci_island_body(s, island, i);
        body->v = dvci_madd(dvci_sub(body->v_free, body->v_start), body->v, body->inverse_mass);
        body->w = dvci_add(dvci_sub(body->w_free, body->w_start), dvci_mul(body->inverse_inertia, body->w));
    }
}

/* Friction per normal impulse out to the sides of the pyramid's cut; 0: there is none. */
static dvc_real dvci_pyramid_apothem(const dvci_step *s, const dvci_group *g)
{
    dvc_real sine, cosine = 1;
    if (g->directions < 3 && !s->world->planar) return 0;
    if (!s->world->planar) dvci_sin_cos(DVCI_PI / (dvc_real)g->directions, &sine, &cosine);
    return g->friction * cosine;
}

/* Is the point's friction within its pyramid? In odd ones only what is within the circle inside is taken for it. */
static bool dvci_friction_fits(const dvci_step *s, const dvci_point *point, dvc_real apothem)
{
    const dvci_group *g = &s->groups[point->group];
    dvc_real most = apothem * point->impulse, x, y, at[2], step[2];
    int k;
    if (dvci_dot(point->friction, point->friction) <= most * most) return true;
    if (s->world->planar || g->directions % 2) return false;
    x = dvci_dot(point->friction, point->slip_1);
    y = dvci_dot(point->friction, point->slip_2);
    dvci_sin_cos(point->tangent + DVCI_PI / (dvc_real)g->directions, &at[1], &at[0]); /* middles of the sides */
    dvci_sin_cos(2 * DVCI_PI / (dvc_real)g->directions, &step[1], &step[0]);
    for (k = 0; k < g->directions / 2; k++, dvci_turn_on(at, step[0], step[1]))
        if (!(dvci_abs(at[0] * x + at[1] * y) <= most * (1 + DVCI_LCP_STILL))) return false;
    return true;
}

/* Velocity of b's surface against a's at the point. */
static dvc_vec3 dvci_point_slip(const dvci_step *s, const dvci_point *point)
{
    const dvci_group *g = &s->groups[point->group];
    dvc_vec3 u = dvci_add(g->surface, point->bend);
    int k;
    for (k = 0; k < 2; k++) {
        const dvci_body *body = &s->bodies[dvci_group_body(s, g, k)];
        dvc_vec3 w = body->dynamic ? dvci_add(body->w, body->gyro) : body->w;
        dvc_vec3 own = dvci_add(body->v, dvci_cross(w, k ? point->arm_b : point->arm_a));
        u = k ? dvci_add(u, own) : dvci_sub(u, own);
    }
    return u;
}

/* How far the point is from what it should do, as a speed; infinite where it does not just touch, or stick. */
static dvc_real dvci_point_fault(const dvci_step *s, const dvci_point *point, dvc_real apothem)
{
    const dvci_group *g = &s->groups[point->group];
    dvc_vec3 u = dvci_point_slip(s, point), f = point->friction;
    dvc_real along = dvci_dot(point->normal, u), opening = point->rate + along - dvci_dot(point->normal, g->surface), slip;
    opening -= dvci_dot(point->normal, dvci_given_velocity(s, point)); /* in the rate already */
    if (!(point->impulse > 0)) return point->impulse == 0 && dvci_zero_vec(f) ? dvci_max(0, -opening) : DVC_INFINITY;
    if (g->directions == 0) return dvci_zero_vec(f) ? dvci_abs(opening) : DVC_INFINITY;
    if (!dvci_friction_fits(s, point, apothem)) return DVC_INFINITY;
    slip = dvci_norm(dvci_madd(u, point->normal, -along));
    return dvci_max(dvci_abs(opening), slip);
}

/* Are the island's bodies as good as still? */
static bool dvci_island_is_still(const dvci_step *s, const dvci_island *island)
{
    int i;
    for (i = 0; i < island->body_count; i++) {
        const dvci_body *body = dvci_island_body(s, island, i);
        if (!(dvci_norm(body->v_start) + body->reach * dvci_norm(body->w_start) <= DVCI_LCP_STILL * s->speed)) return false;
    }
    return true;
}

/* True if the bodies of the island keep still, which they do then. `most` receives what the impulses would add: what the solver has
 * left. */
static bool dvci_keeps_still(dvci_step *s, const dvci_island *island, const int *points, int count, dvc_real *most)
{
    int i;
    if (!dvci_island_is_still(s, island)) return false;
    dvci_add_up_impulses(s, island, points, count);
    for (*most = 0, i = 0; i < island->body_count; i++) {
        dvci_body *body = dvci_island_body(s, island, i);
        dvc_real added = dvci_norm(body->v) + body->reach * dvci_norm(body->w);
        *most = dvci_max(*most, added);
        if (!(added <= DVCI_LCP_STILL * s->speed)) return false;
        body->v = body->w = dvci_vec(0, 0, 0);
    }
    return true;
}

/* The worst fault of the points, as a speed; infinite if one is more than rounding. */
static dvc_real dvci_points_fault(const dvci_step *s, const int *points, int count)
{
    dvc_real worst = 0, apothem = 0;
    int i, group = -1;
    for (i = 0; i < count; i++) {
        const dvci_point *point = &s->points[points[i]];
        dvc_real fault;
        if (point->group != group) apothem = dvci_pyramid_apothem(s, &s->groups[point->group]);
        group = point->group;
        fault = dvci_point_fault(s, point, apothem);
        if (!(fault <= DVCI_LCP_REST * s->speed)) return DVC_INFINITY;
        worst = dvci_max(worst, fault);
    }
    return worst;
}

/* True if points and bodies go on as they were. */
static bool dvci_goes_on(dvci_step *s, const dvci_island *island, const int *points, int count, dvci_solution *solution)
{
    dvc_real worst, fault;
    int i;
    memset(solution, 0, sizeof *solution);
    if (!dvci_may_stand(s, island) || !dvci_keeps_still(s, island, points, count, &worst)) return false;
    solution->unknowns = dvci_count_point_rows(s, points, count, DVCI_SEGMENTS);
    fault = dvci_points_fault(s, points, count);
    if (fault == DVC_INFINITY && solution->unknowns > DVCI_PIVOT_ROWS) { /* it may stand as it was found to */
        dvci_forgive_standing(s, island, true);
        fault = dvci_points_fault(s, points, count);
        if (fault == DVC_INFINITY) dvci_forgive_standing(s, island, false);
    }
    solution->residual = dvci_max(worst, fault) / s->speed;
    if (fault == DVC_INFINITY || (s->world->tolerance > 0 && solution->residual > s->world->tolerance)) return false;
    for (i = 0; i < count; i++) s->points[points[i]].goes_on = true; /* rounding does not go to and fro */
    return true;
}

/* ---- what could rest ----
 * A problem too large to pivot is mostly not solved exactly, and a heap would creep for ever by what is left. Where it hardly moves
 * any more, it is asked whether it could stand as it is, gaps of DVCI_GAP_STAND of a size being none. That is a convex question,
 * whose answer, if it is yes, is exact: an island that stands so rests from then on.
 */

static bool dvci_island_is_calm(const dvci_step *s, const dvci_island *island)
{
    int i;
    for (i = 0; i < island->group_count; i++) {
        const dvci_group *g = dvci_island_group(s, island, i);
        const dvci_body *a = &s->bodies[dvci_group_body(s, g, 0)], *b = &s->bodies[dvci_group_body(s, g, 1)];
        if (!dvci_pair_keeps(s, a, b, g->size, DVCI_WAY_STAND) || !dvci_zero_vec(g->surface)) return false;
    }
    return true;
}

/* Bodies that would move by no more than is left of the solution keep still. False: some move. */
static bool dvci_bring_to_rest(dvci_step *s, const dvci_island *island)
{
    int i;
    for (i = 0; i < island->body_count; i++) {
        const dvci_body *body = dvci_island_body(s, island, i);
        if (!(dvci_norm(body->v) + body->reach * dvci_norm(body->w) <= DVCI_LCP_ACCEPT * s->speed)) return false;
    }
    for (i = 0; i < island->body_count; i++)
        dvci_island_body(s, island, i)->v = dvci_island_body(s, island, i)->w = dvci_vec(0, 0, 0);
    return true;
}

/* True if the island stands still now; else nothing has changed. */
static bool dvci_stand_still(dvci_step *s, const dvci_island *island, int first_cut, const int *points, int count,
                             dvci_solution *solution)
{
    bool rough = s->rough, stands;
    dvci_solution still;
    if (island->large || !dvci_may_stand(s, island) || !dvci_island_is_calm(s, island)) return false;
    dvci_keep_iterate(s, island, first_cut, true);
    dvci_forgive_standing(s, island, true);
    s->stands = true;
    still = dvci_solve_with(s, island, points, count, DVC_AUTO, true, 0);
    s->stands = false;
    dvci_count_solution(s, &still);
    stands = still.status == DVC_OK && dvci_bring_to_rest(s, island);
    s->rough = rough && !stands;
    if (stands) {
        *solution = still;
    } else {
        dvci_forgive_standing(s, island, false);
        dvci_keep_iterate(s, island, first_cut, false);
    }
    return stands;
}

/* The problem in the units of the world, as a solver of the user's gets it, and back. Units are powers of two: nothing rounds. */
static void dvci_ask_own_solver(dvci_step *s, dvci_setup *q, dvc_real *by_rows, dvc_real *z)
{
    dvci_mcp *p = &q->p;
    dvc_lcp lcp;
    int i, j;
    for (j = 0; j < p->n; j++) {
        dvc_real unit = p->unit[j] * q->size;
        for (i = 0; i < p->n; i++)
            by_rows[(size_t)i * (size_t)p->n + (size_t)j] = dvci_mcp_column(p, j)[i] / p->unit[j]
                                                            * (q->r.kind[i] == DVCI_ROW_CONE ? p->unit[q->r.owner[i]] : 1);
        z[j] = 0;
        p->b[j] *= q->size;
        if (!dvci_no_bound(p->lower[j])) p->lower[j] *= unit;
        if (!dvci_no_bound(p->upper[j])) p->upper[j] *= unit;
    }
    lcp.n = p->n;
    lcp.A = by_rows;
    lcp.b = p->b;
    lcp.lower = p->lower;
    lcp.upper = p->upper;
    s->world->solve(s->world->user, &lcp, z);
    for (j = 0; j < p->n; j++) {
        dvc_real unit = p->unit[j] * q->size;
        p->b[j] /= q->size;
        if (!dvci_no_bound(p->lower[j])) p->lower[j] /= unit;
        if (!dvci_no_bound(p->upper[j])) p->upper[j] /= unit;
        q->task.z[j] = dvci_finite(z[j]) ? z[j] / unit : 0;
    }
}

/* With the user's solver, whose word is not taken for it. */
static dvci_solution dvci_solve_own(dvci_step *s, const dvci_island *island, const int *points, int count)
{
    size_t mark = s->arena.used;
    dvci_solution solution = dvci_no_memory();
    dvci_setup q;
    dvc_real *by_rows, *z;
    if (!dvci_set_up(s, island, points, count, DVCI_RAYS, false, 0, &q)) return solution;
    by_rows = dvci_alloc_reals(&s->arena, dvci_times((size_t)q.p.n, (size_t)q.p.n));
    z = dvci_alloc_reals(&s->arena, (size_t)q.p.n);
    if (s->arena.failed || !dvci_mcp_form(&q.p, &s->arena)) return solution;
    dvci_ask_own_solver(s, &q, by_rows, z);
    solution.residual = dvci_mcp_residual(&q.task) * (q.size / s->speed);
    solution.status = solution.residual <= q.task.tolerance ? DVC_OK : DVC_ERROR_LCP_NOT_SOLVED;
    solution.unknowns = q.p.n;
    dvci_export_impulses(&q);
    if (solution.status == DVC_OK) dvci_take_solution(s, island, &q.r);
    s->arena.used = mark;
    return solution;
}

/* The problem is solved by the method the world asks for; if that fails, by the chain. */
static dvci_solution dvci_solve_points(dvci_step *s, const dvci_island *island, const int *points, int count, bool symmetric)
{
    dvc_solver method = s->world->solver;
    dvci_solution solution = s->world->solve ? dvci_solve_own(s, island, points, count)
                                             : dvci_solve_with(s, island, points, count, method, symmetric, 0);
    if (solution.status != DVC_OK && solution.status != DVC_ERROR_SCRATCH && (method != DVC_AUTO || s->world->solve)) {
        solution = dvci_solve_with(s, island, points, count, DVC_AUTO, symmetric, 0);
        solution.other_method = true;
    }
    dvci_count_solution(s, &solution);
    return solution;
}

/* With normal rows made slightly compliant, for which a solution always exists. */
static dvci_solution dvci_solve_compliant(dvci_step *s, const dvci_island *island, const int *points, int count)
{
    dvci_solution solution = dvci_solve_with(s, island, points, count, DVC_AUTO, false, DVCI_R(1e-4));
    if (solution.status != DVC_ERROR_SCRATCH) solution.status = DVC_ERROR_LCP_NOT_SOLVED;
    solution.other_method = true;
    dvci_count_solution(s, &solution);
    return solution;
}

static void dvci_add_pushes(dvci_step *s, const dvci_island *island, const dvci_rows *r)
{
    int i;
    for (i = 0; i < r->count; i++) {
        dvci_point *point = r->kind[i] == DVCI_ROW_LINK ? NULL : &s->points[r->point[i]];
        if (point) point->goes_on = false;
        if (point) point->impulse = dvci_max(0, point->impulse + r->z[i]);
        else dvci_row_link(s, r, i)->impulse += r->z[i];
    }
    for (i = 0; i < island->body_count; i++) {
        dvci_body *body = dvci_island_body(s, island, i);
        dvci_body_gains(r, i, &body->v, &body->w);
    }
}

/* How much less a point may push: its friction stays, and within its cone. */
static dvc_real dvci_spare_push(const dvci_step *s, const dvci_point *point)
{
    dvc_real mu = s->groups[point->group].friction, rub = dvci_norm(point->friction);
    return rub > 0 && mu > 0 ? dvci_max(0, point->impulse - rub / mu) : point->impulse;
}

/* On top of what the island does now: normal impulses alone, more or less of them, that set its gaps right. The points' rates
 * are their gaps / h; friction stays what it is. A convex problem, with a solution wherever bodies can be pushed apart. */
static dvci_solution dvci_push_out(dvci_step *s, const dvci_island *island, const int *points, int count)
{
    size_t mark = s->arena.used;
    dvci_solution solution = dvci_no_memory();
    dvci_setup q;
    int i;
    if (dvci_set_up(s, island, points, count, DVCI_FRICTIONLESS, true, 0, &q)) {
        q.p.symmetric = true;
        for (i = 0; i < q.p.n; i++) {
            dvc_real now = q.r.kind[i] == DVCI_ROW_LINK ? dvci_row_link(s, &q.r, i)->impulse
                                                        : dvci_spare_push(s, &s->points[q.r.point[i]]);
            if (!dvci_no_bound(q.p.lower[i])) q.p.lower[i] -= now / (q.p.unit[i] * q.size);
            if (!dvci_no_bound(q.p.upper[i])) q.p.upper[i] -= now / (q.p.unit[i] * q.size);
        }
        solution = dvci_solve_setup(s, DVC_AUTO, &q);
        if (solution.status == DVC_OK) dvci_add_pushes(s, island, &q.r);
    }
    s->arena.used = mark;
    solution.other_method = true;
    dvci_count_solution(s, &solution);
    return solution;
}

/* ------------------------------------------------------------------------------------------------
 * >>lcp  complementarity problems and their solvers
 * ------------------------------------------------------------------------------------------------
 * All methods work on one private form, dvci_mcp: scaled, boxed, by columns, with *linked* rows for friction.
 *
 *     w = A z + b,     lower_i <= z_i <= upper_i,     w_i >= 0 at lower, = 0 between, <= 0 at upper
 *
 * A linked row has no constant bounds but those of friction: |z_i| <= upper_i z_owner, where the owner is the plain row
 * (a normal impulse) it follows. A pyramid with 2 k directions is the Minkowski sum of k segments, so maximal dissipation
 * over it splits into k independent linked rows. The Stewart-Trinkle problem with n = m (2 + 2 k) unknowns thereby shrinks
 * to m (1 + k), with the same normal impulses, friction forces and motion.
 *
 * The *mode* of a row says where its z is: -1 at lower, 0 between, +1 at upper. Modes are what a warm start remembers.
 *
 *     scaling -> active set (few linear solves from a guess) -> pivoting (Lemke's path) -> other covering vectors
 *
 * A problem over bodies that is too large to be pivoted is solved by the active set near the impulses of the last step; else it is
 * swept, goes along the inner path, and is tried by the active set near the end of that.
 *
 * Residuals come from one function, dvci_mcp_residual; no method judges itself.
 */

static bool dvci_no_bound(dvc_real x) { return x >= DVC_INFINITY || x <= -DVC_INFINITY; }

/* All but the matrix. */
static void dvci_mcp_carve_vectors(dvci_mcp *p, int n, dvci_arena *arena)
{
    size_t count = (size_t)n;
    dvc_real *reals = dvci_alloc_reals(arena, 4 * count);
    p->n = n;
    p->A = NULL;
    p->product = NULL;
    p->owner = dvci_alloc_ints(arena, count);
    if (!reals) return;
    p->b = dvci_cut_reals(&reals, count);
    p->lower = dvci_cut_reals(&reals, count);
    p->upper = dvci_cut_reals(&reals, count);
    p->unit = reals;
}

static void dvci_mcp_carve(dvci_mcp *p, int n, dvci_arena *arena)
{
    dvci_mcp_carve_vectors(p, n, arena);
    p->A = dvci_alloc_reals(arena, dvci_times((size_t)n, (size_t)n));
}

static const dvc_real *dvci_mcp_column(const dvci_mcp *p, int j) { return p->A + (size_t)j * (size_t)p->n; }

static inline void dvci_mcp_bounds(const dvci_mcp *p, const dvc_real *z, int i, dvc_real *low, dvc_real *high)
{
    int k = p->owner[i];
    *high = k < 0 ? p->upper[i] : p->upper[i] * dvci_max(z[k], 0);
    *low = k < 0 ? p->lower[i] : -*high;
}

static inline dvc_real dvci_mcp_diagonal(const dvci_mcp *p, int i)
{
    const dvci_product *q = p->product;
    size_t at = 2 * (size_t)i * (size_t)(q ? q->width : 0);
    if (!q) return dvci_mcp_column(p, i)[i];
    return dvci_row_dot(q->width, q->row + at, q->column + at)
         + dvci_row_dot(q->width, q->row + at + q->width, q->column + at + q->width) + q->extra[i];
}

/* Forms the matrix for methods that look at its columns. */
static bool dvci_mcp_form(dvci_mcp *p, dvci_arena *arena)
{
    const dvci_product *q = p->product;
    int body, i, j;
    if (!q) return true;
    if (!p->A) p->A = dvci_alloc_reals(arena, dvci_times((size_t)p->n, (size_t)p->n));
    if (arena->failed) return false;
    dvci_fill(p->n * p->n, 0, p->A);
    for (body = 0; body < q->bodies; body++)
        for (j = q->list_first[body]; j < q->list_first[body + 1]; j++) {
            const dvc_real *from = q->column + (size_t)q->list[j] * (size_t)q->width;
            dvc_real *column = p->A + (size_t)(q->list[j] / 2) * (size_t)p->n;
            for (i = q->list_first[body]; i < q->list_first[body + 1]; i++)
                column[q->list[i] / 2] += dvci_row_dot(q->width, q->row + (size_t)q->list[i] * (size_t)q->width, from);
        }
    for (i = 0; i < p->n; i++) p->A[(size_t)i * (size_t)p->n + (size_t)i] += q->extra[i];
    p->product = NULL;
    return true;
}

/* What the unknowns do to the bodies. */
static void dvci_product_gather(const dvci_mcp *p, const dvc_real *z)
{
    const dvci_product *q = p->product;
    int i, side;
    dvci_fill(q->bodies * q->width, 0, q->nu);
    for (i = 0; i < p->n; i++)
        for (side = 0; z[i] != 0 && side < 2; side++)
            if (q->body[2 * i + side] >= 0)
                dvci_axpy(q->width, z[i], q->column + (size_t)(2 * i + side) * (size_t)q->width,
                          q->nu + q->body[2 * i + side] * q->width);
}

/* What row i sees of it. */
static dvc_real dvci_product_see(const dvci_mcp *p, int i)
{
    const dvci_product *q = p->product;
    dvc_real w = p->b[i];
    int side;
    for (side = 0; side < 2; side++)
        if (q->body[2 * i + side] >= 0)
            w += dvci_row_dot(q->width, q->row + (size_t)(2 * i + side) * (size_t)q->width,
                              q->nu + q->body[2 * i + side] * q->width);
    return w;
}

/* w = product z + b */
static void dvci_product_apply(const dvci_mcp *p, const dvc_real *z, dvc_real *w)
{
    int i;
    dvci_product_gather(p, z);
    for (i = 0; i < p->n; i++) w[i] = dvci_product_see(p, i) + p->product->extra[i] * z[i];
}

/* w = A z + b */
static void dvci_mcp_apply(const dvci_mcp *p, const dvc_real *z, dvc_real *w)
{
    int j;
    if (p->product) {
        dvci_product_apply(p, z, w);
        return;
    }
    memcpy(w, p->b, (size_t)p->n * sizeof *w);
    for (j = 0; j < p->n; j++)
        if (z[j] != 0) dvci_axpy(p->n, z[j], dvci_mcp_column(p, j), w);
}

/* The one judge: max_i |z_i - clamp(z_i - w_i)| for given z and w = A z + b. */
static dvc_real dvci_mcp_gap(const dvci_mcp *p, const dvc_real *z, const dvc_real *w)
{
    dvc_real worst = 0, low, high, gap;
    int i;
    for (i = 0; i < p->n; i++) {
        dvci_mcp_bounds(p, z, i, &low, &high);
        gap = dvci_abs(z[i] - dvci_clamp(z[i] - w[i], low, high));
        if (!(gap <= worst)) worst = gap;
        if (!dvci_finite(worst) || dvci_abs(z[i]) > DVCI_LCP_HUGE) return DVC_INFINITY;
    }
    return worst;
}

static dvc_real dvci_mcp_residual(dvci_task *task)
{
    dvci_mcp_apply(task->p, task->z, task->w);
    return task->residual = dvci_mcp_gap(task->p, task->z, task->w);
}

/* Puts each z on or between its bounds, owners first. False: all were there. */
static bool dvci_mcp_project(const dvci_mcp *p, dvc_real *z)
{
    dvc_real low, high, old;
    bool moved = false;
    int i;
    for (i = 0; i < p->n; i++) {
        dvci_mcp_bounds(p, z, i, &low, &high);
        old = z[i];
        z[i] = dvci_clamp(old, low, high);
        moved = moved || z[i] != old;
    }
    return moved;
}

/* ---- the iterative family ---- */

static bool dvci_diagonal_positive(const dvci_mcp *p)
{
    int i;
    for (i = 0; i < p->n; i++)
        if (!(dvci_mcp_diagonal(p, i) > 0)) return false;
    return true;
}

/* z_i moves to `target` clamped to its bounds, and w with it. */
static void dvci_relax_row(const dvci_mcp *p, int i, dvc_real target, dvc_real *z, dvc_real *w)
{
    dvc_real low, high, change;
    dvci_mcp_bounds(p, z, i, &low, &high);
    change = dvci_clamp(target, low, high) - z[i];
    if (change == 0) return;
    z[i] += change;
    dvci_axpy(p->n, change, dvci_mcp_column(p, i), w);
}

/* W (2.46), (2.47) as in the errata: z_i <- project(z_i - f w_i / A_ii), row after row; f = 1 is Gauss-Seidel. */
static void dvci_sweep_relaxed(const dvci_mcp *p, dvc_real factor, dvc_real *z, dvc_real *w)
{
    int i;
    for (i = 0; i < p->n; i++) dvci_relax_row(p, i, z[i] - factor * w[i] / dvci_mcp_column(p, i)[i], z, w);
}

/* The same over the bodies: no matrix, only what the bodies do now (product->nu). */
static void dvci_sweep_bodies(const dvci_mcp *p, const dvc_real *rate, dvc_real factor, dvc_real *z)
{
    const dvci_product *q = p->product;
    int i, side;
    for (i = 0; i < p->n; i++) {
        dvc_real low, high, change;
        dvci_mcp_bounds(p, z, i, &low, &high);
        if (low == high && z[i] == low) continue; /* friction of an open contact */
        change = dvci_clamp(z[i] - factor * rate[i] * (dvci_product_see(p, i) + q->extra[i] * z[i]), low, high) - z[i];
        if (change == 0) continue;
        z[i] += change;
        for (side = 0; side < 2; side++)
            if (q->body[2 * i + side] >= 0)
                dvci_axpy(q->width, change, q->column + (size_t)(2 * i + side) * (size_t)q->width,
                          q->nu + q->body[2 * i + side] * q->width);
    }
}

/* 1 / A_ii */
static bool dvci_diagonal_rates(const dvci_mcp *p, dvci_arena *arena, dvc_real **rates)
{
    int i;
    *rates = dvci_alloc_reals(arena, (size_t)p->n);
    for (i = 0; !arena->failed && i < p->n; i++) (*rates)[i] = 1 / dvci_mcp_diagonal(p, i);
    return !arena->failed;
}

static bool dvci_time_is_up(const dvci_watch *watch) { return watch->clock && watch->clock(watch->user) >= watch->end; }

/* ---- sweeps over the bodies, contact by contact ----
 * A *touch* is a plain row with the linked rows behind it: a contact. Its friction is one vector in two tangents: the first
 * segment, and what is square to it. The segments' sum is a regular polygon that grows with the normal impulse. That is half
 * the work of a row per segment, and what sticks is solved at once. Impulses are in the rows' own units here.
 */
typedef struct dvci_touch {
    int first, segments;        /* the plain row; linked rows behind it */
    int lanes;                  /* 1: no friction, 2: one tangent, 3: two */
    int body[2];                /* one that is not there stands for itself behind the others */
    dvc_real lower, upper;      /* of the plain row */
    dvc_real half, apothem;     /* of the polygon, per normal impulse: half an edge, distance of edges from the middle */
    const dvc_real *fan;        /* (2 segments) their directions in the tangents; NULL: there are no two */
    dvc_real give;              /* compliance of the plain row */
    dvc_real b[3];              /* what the lanes see without impulses */
    dvc_real d[3][3];           /* lanes against each other */
    dvc_real pivot;             /* of the plain row: d[0][0], but not less than if it measured what it pushes: or sweeps run away */
    dvc_real inverse[4];        /* of the tangents' part of d, by rows; of d[1][1] where there is one tangent */
    dvc_vec3 row_v, row_a, row_b; /* what the plain row measures, as in dvci_point; tangents measure what they push */
    dvc_vec3 force[3], turn_a[3], turn_b[3]; /* what a unit impulse gives b and takes from a, and the angular momentum of both */
    dvc_real x[3], way[3], went[3]; /* impulses, the way they go, and how far they went in the last sweep */
} dvci_touch;

typedef struct dvci_twist { dvc_vec3 v, w; } dvci_twist;

typedef struct dvci_touches {
    int count, bodies;
    dvci_touch *of;             /* (count) */
    dvci_matter *matter;        /* (bodies + 1) */
    dvc_real *fan;              /* of the last touch with two tangents; the next one mostly has as many segments */
    int fan_segments;
    dvc_real fan_apothem;       /* distance of its polygon's edges from the middle, in half edges */
    dvci_twist *nu, *last, *way; /* (bodies + 1) what the impulses do to the bodies; before the last sweep, and the way they go */
} dvci_touches;

/* `times` a row's part on one body is added to a linear and an angular direction. */
static void dvci_row_read(int width, const dvc_real *row, dvc_real times, dvc_vec3 *linear, dvc_vec3 *angular)
{
    bool planar = width == 3;
    *linear = dvci_madd(*linear, dvci_vec(row[0], row[1], planar ? 0 : row[2]), times);
    *angular = dvci_madd(*angular, planar ? dvci_vec(0, 0, row[2]) : dvci_vec(row[3], row[4], row[5]), times);
}

/* `times` the row's force is added to what a lane pushes. */
static void dvci_touch_add_force(const dvci_product *q, int row, dvc_real times, dvci_touch *t, int lane)
{
    const dvc_real *force = q->force + 2 * (size_t)row * (size_t)q->width;
    dvc_vec3 back = dvci_vec(0, 0, 0);
    dvci_row_read(q->width, force, times, &back, &t->turn_a[lane]);
    dvci_row_read(q->width, force + q->width, times, &t->force[lane], &t->turn_b[lane]);
    if (q->body[2 * row + 1] < 0) t->force[lane] = dvci_sub(t->force[lane], back);
}

/* What a unit impulse of the lane does to the row v . (v_b - v_a) + a . w_a + b . w_b. */
static dvc_real dvci_touch_product(const dvci_touches *s, const dvci_touch *t, dvc_vec3 v, dvc_vec3 a, dvc_vec3 b, int lane)
{
    const dvci_matter *of_a = &s->matter[t->body[0]], *of_b = &s->matter[t->body[1]];
    return (of_a->inverse_mass + of_b->inverse_mass) * dvci_dot(v, t->force[lane])
         + (dvci_dot(a, dvci_mul(of_a->inverse_inertia, t->turn_a[lane]))
            + dvci_dot(b, dvci_mul(of_b->inverse_inertia, t->turn_b[lane])));
}

/* Rows of its lanes: the plain row, the first segment, and what of another one is square to that. */
static void dvci_touch_lanes(const dvci_mcp *p, const dvci_touches *s, dvci_touch *t)
{
    const dvci_product *q = p->product;
    const dvc_real *row = q->row + 2 * (size_t)t->first * (size_t)q->width;
    dvc_vec3 back = dvci_vec(0, 0, 0);
    dvc_real sine = 1, cosine = 0;
    int turned = t->segments / 2, k, m;
    dvci_row_read(q->width, row, 1, &back, &t->row_a);
    dvci_row_read(q->width, row + q->width, 1, &t->row_v, &t->row_b);
    if (q->body[2 * t->first + 1] < 0) t->row_v = dvci_neg(back);
    for (k = 0; k < dvci_imin(t->lanes, 2); k++) {
        dvci_touch_add_force(q, t->first + k, 1, t, k);
        t->b[k] = p->b[t->first + k];
    }
    if (t->lanes == 3) {
        if (t->segments % 2) dvci_sin_cos(DVCI_PI * (dvc_real)turned / (dvc_real)t->segments, &sine, &cosine);
        dvci_touch_add_force(q, t->first + 1 + turned, 1 / sine, t, 2);
        if (cosine != 0) dvci_touch_add_force(q, t->first + 1, -cosine / sine, t, 2);
        t->b[2] = p->b[t->first + 1 + turned] / sine - cosine / sine * t->b[1];
    }
    for (k = 0; k < t->lanes; k++)
        for (m = 0; m < t->lanes; m++)
            t->d[k][m] = k ? dvci_touch_product(s, t, t->force[k], t->turn_a[k], t->turn_b[k], m)
                           : dvci_touch_product(s, t, t->row_v, t->row_a, t->row_b, m);
    t->give = q->extra[t->first] / p->unit[t->first];
    t->pivot = dvci_max(t->d[0][0], dvci_touch_product(s, t, t->force[0], t->turn_a[0], t->turn_b[0], 0)) + t->give;
    t->d[0][0] += t->give;
}

/* Directions of so many segments, if they are not those of the touch before. */
static void dvci_touches_fan(dvci_touches *s, int segments, dvci_arena *arena)
{
    dvc_real at[2] = { 1, 0 }, sine, cosine;
    int k;
    if (s->fan && s->fan_segments == segments) return;
    s->fan = dvci_alloc_reals(arena, 2 * (size_t)segments);
    s->fan_segments = segments;
    dvci_sin_cos(DVCI_PI / (2 * (dvc_real)segments), &sine, &cosine);
    s->fan_apothem = cosine / sine;
    dvci_sin_cos(DVCI_PI / (dvc_real)segments, &sine, &cosine);
    for (k = 0; k < segments && !arena->failed; k++, dvci_turn_on(at, cosine, sine)) {
        s->fan[2 * k] = at[0];
        s->fan[2 * k + 1] = at[1];
    }
}

/* The polygon, and what its tangents' equations need. */
static void dvci_touch_friction(const dvci_mcp *p, dvci_touches *s, dvci_touch *t, dvci_arena *arena)
{
    dvc_real determinant;
    if (t->segments == 0) return;
    t->half = p->upper[t->first + 1] * p->unit[t->first + 1] / p->unit[t->first];
    t->inverse[0] = 1 / t->d[1][1];
    if (t->lanes < 3) return;
    dvci_touches_fan(s, t->segments, arena);
    t->fan = s->fan;
    t->apothem = t->half * s->fan_apothem;
    determinant = t->d[1][1] * t->d[2][2] - t->d[1][2] * t->d[2][1];
    t->inverse[0] = t->d[2][2] / determinant;
    t->inverse[1] = -t->d[1][2] / determinant;
    t->inverse[2] = -t->d[2][1] / determinant;
    t->inverse[3] = t->d[1][1] / determinant;
}

static bool dvci_touches_make(const dvci_mcp *p, dvci_touches *s, dvci_arena *arena)
{
    const dvci_product *q = p->product;
    size_t bodies = (size_t)q->bodies + 1;
    int i, side;
    memset(s, 0, sizeof *s);
    s->bodies = q->bodies + 1;
    s->matter = (dvci_matter *)dvci_alloc(arena, bodies, sizeof *s->matter);
    s->nu = (dvci_twist *)dvci_alloc(arena, bodies, sizeof *s->nu);
    s->last = (dvci_twist *)dvci_alloc(arena, bodies, sizeof *s->last);
    s->way = (dvci_twist *)dvci_alloc(arena, bodies, sizeof *s->way);
    for (i = 0; i < p->n; i++) s->count += p->owner[i] < 0;
    s->of = (dvci_touch *)dvci_alloc(arena, (size_t)s->count, sizeof *s->of);
    if (arena->failed) return false;
    memcpy(s->matter, q->matter, (size_t)q->bodies * sizeof *s->matter);
    memset(&s->matter[q->bodies], 0, sizeof *s->matter);
    for (i = 0, s->count = 0; i < p->n; s->count++) {
        dvci_touch *t = &s->of[s->count];
        memset(t, 0, sizeof *t);
        for (t->first = i++; i < p->n && p->owner[i] == t->first; i++) t->segments++;
        t->lanes = 1 + dvci_imin(t->segments, 2);
        t->lower = p->lower[t->first] * (dvci_no_bound(p->lower[t->first]) ? 1 : p->unit[t->first]);
        t->upper = p->upper[t->first] * (dvci_no_bound(p->upper[t->first]) ? 1 : p->unit[t->first]);
        for (side = 0; side < 2; side++) {
            int body = q->body[2 * t->first + side];
            t->body[side] = body < 0 ? q->bodies : body;
        }
        dvci_touch_lanes(p, s, t);
        dvci_touch_friction(p, s, t, arena);
    }
    return !arena->failed;
}

/* The edge of the polygon towards which x points: index and direction of its segment. Returns how far x is on that side. */
static dvc_real dvci_touch_edge(const dvci_touch *t, const dvc_real *x, int *edge, dvc_real *along)
{
    dvc_real farthest = 0;
    int k;
    *edge = 0;
    for (k = 0; k < t->segments; k++) {
        dvc_real away = t->fan[2 * k] * x[1] - t->fan[2 * k + 1] * x[0];
        if (k > 0 && !(dvci_abs(away) > dvci_abs(farthest))) continue;
        farthest = away;
        *edge = k;
    }
    along[0] = t->fan[2 * *edge];
    along[1] = t->fan[2 * *edge + 1];
    return farthest;
}

/* The friction nearest to x that there may be. */
static void dvci_touch_clamp(const dvci_touch *t, dvc_real normal, const dvc_real *x, dvc_real *nearest)
{
    dvc_real half = t->half * normal, apothem = t->apothem * normal, along[2], away, way;
    int edge;
    nearest[0] = t->lanes == 2 ? dvci_clamp(x[0], -half, half) : x[0];
    nearest[1] = x[1];
    if (t->lanes == 2 || x[0] * x[0] + x[1] * x[1] <= apothem * apothem) return;
    away = dvci_touch_edge(t, x, &edge, along);
    if (dvci_abs(away) <= apothem) return;
    away = away > 0 ? apothem : -apothem;
    way = dvci_clamp(along[0] * x[0] + along[1] * x[1], -half, half);
    nearest[0] = along[0] * way - along[1] * away;
    nearest[1] = along[1] * way + along[0] * away;
}

/* The point on an edge of the polygon that is nearest to `free` as the tangents' matrix measures it; returns half its square. */
static dvc_real dvci_touch_on_edge(const dvci_touch *t, dvc_real normal, const dvc_real *along, bool left, const dvc_real *free,
                                   dvc_real *x)
{
    dvc_real level = (left ? t->apothem : -t->apothem) * normal, half = t->half * normal, off[2], by[2], way;
    off[0] = -along[1] * level - free[0];
    off[1] = along[0] * level - free[1];
    by[0] = t->d[1][1] * along[0] + t->d[2][1] * along[1];
    by[1] = t->d[1][2] * along[0] + t->d[2][2] * along[1];
    way = dvci_clamp(-(by[0] * off[0] + by[1] * off[1]) / (by[0] * along[0] + by[1] * along[1]), -half, half);
    off[0] += way * along[0];
    off[1] += way * along[1];
    x[0] = free[0] + off[0];
    x[1] = free[1] + off[1];
    return (off[0] * (t->d[1][1] * off[0] + t->d[1][2] * off[1]) + off[1] * (t->d[2][1] * off[0] + t->d[2][2] * off[1])) / 2;
}

/* The friction x of a touch whose tangents see u with it: what sticks, or else the best of the polygon's edges towards that. */
static void dvci_touch_rub(const dvci_touch *t, dvc_real normal, const dvc_real *u, dvc_real *x)
{
    dvc_real free[2], level = t->apothem * normal, least = DVC_INFINITY;
    int k;
    if (t->lanes == 2) {
        x[0] = dvci_clamp(x[0] - t->inverse[0] * u[0], -t->half * normal, t->half * normal);
        x[1] = 0;
        return;
    }
    x[0] = free[0] = x[0] - (t->inverse[0] * u[0] + t->inverse[1] * u[1]);
    x[1] = free[1] = x[1] - (t->inverse[2] * u[0] + t->inverse[3] * u[1]);
    if (free[0] * free[0] + free[1] * free[1] <= level * level) return;
    for (k = 0; k < t->segments; k++) {
        const dvc_real *at = t->fan + 2 * k;
        dvc_real away = at[0] * free[1] - at[1] * free[0], on[2], far;
        if (!(dvci_abs(away) > level)) continue;
        far = dvci_touch_on_edge(t, normal, at, away > 0, free, on);
        if (far < least) { least = far; x[0] = on[0]; x[1] = on[1]; }
    }
}

/* Momentum for one of its bodies. */
static void dvci_body_push(const dvci_touches *s, int body, dvc_vec3 force, dvc_vec3 turn)
{
    const dvci_matter *m = &s->matter[body];
    s->nu[body].v = dvci_madd(s->nu[body].v, force, m->inverse_mass);
    s->nu[body].w = dvci_add(s->nu[body].w, dvci_mul(m->inverse_inertia, turn));
}

static void dvci_touch_push(const dvci_touches *s, const dvci_touch *t, const dvc_real *by)
{
    dvc_vec3 force = dvci_scale(t->force[0], by[0]), a = dvci_scale(t->turn_a[0], by[0]), b = dvci_scale(t->turn_b[0], by[0]);
    int lane;
    for (lane = 1; lane < t->lanes; lane++) {
        force = dvci_madd(force, t->force[lane], by[lane]);
        a = dvci_madd(a, t->turn_a[lane], by[lane]);
        b = dvci_madd(b, t->turn_b[lane], by[lane]);
    }
    dvci_body_push(s, t->body[0], dvci_neg(force), a);
    dvci_body_push(s, t->body[1], force, b);
}

/* One touch is solved, the others as they are. */
static void dvci_touch_relax(const dvci_touches *s, dvci_touch *t)
{
    const dvci_twist *a = &s->nu[t->body[0]], *b = &s->nu[t->body[1]];
    dvc_vec3 v = dvci_sub(b->v, a->v);
    dvc_real u[3], next[3] = { 0, 0, 0 };
    int lane;
    if (!(t->d[0][0] > 0)) return;
    u[0] = t->b[0] + dvci_dot(t->row_v, v) + (dvci_dot(t->row_a, a->w) + dvci_dot(t->row_b, b->w));
    next[0] = dvci_clamp(t->x[0] - (u[0] + t->give * t->x[0]) / t->pivot, t->lower, t->upper);
    t->went[0] = next[0] - t->x[0];
    if (next[0] == 0 && t->went[0] == 0 && t->x[1] == 0 && t->x[2] == 0) { /* open, and it was */
        t->went[1] = t->went[2] = 0;
        return;
    }
    for (lane = 1; lane < t->lanes; lane++) {
        u[lane] = t->b[lane] + dvci_dot(t->force[lane], v)
                + (dvci_dot(t->turn_a[lane], a->w) + dvci_dot(t->turn_b[lane], b->w)) + t->d[lane][0] * t->went[0];
        next[lane] = next[0] > 0 ? t->x[lane] : 0;
    }
    if (t->lanes > 1 && next[0] > 0) dvci_touch_rub(t, next[0], u + 1, next + 1);
    for (lane = 1; lane < t->lanes; lane++) t->went[lane] = next[lane] - t->x[lane];
    for (lane = 0; lane < t->lanes; lane++) t->x[lane] = next[lane];
    dvci_touch_push(s, t, t->went);
}

/* Impulses from those of the segments, and what they do. */
static void dvci_touches_read(const dvci_mcp *p, const dvc_real *z, dvci_touches *s)
{
    int i, k;
    memset(s->nu, 0, (size_t)s->bodies * sizeof *s->nu);
    for (i = 0; i < s->count; i++) {
        dvci_touch *t = &s->of[i];
        t->x[0] = z[t->first] * p->unit[t->first];
        t->x[1] = t->segments == 1 ? z[t->first + 1] * p->unit[t->first + 1] : 0;
        t->x[2] = 0;
        for (k = 0; t->fan && k < t->segments; k++) {
            dvc_real own = z[t->first + 1 + k] * p->unit[t->first + 1 + k];
            t->x[1] += t->fan[2 * k] * own;
            t->x[2] += t->fan[2 * k + 1] * own;
        }
        dvci_touch_push(s, t, t->x);
    }
}

/* Segments' impulses whose sum is a touch's friction, brought within its bounds: as much as the edge towards which it points
 * asks of the others, the rest along the edge. */
static void dvci_touch_write(const dvci_mcp *p, const dvci_touch *t, dvc_real *z)
{
    dvc_real normal = dvci_clamp(t->x[0], t->lower, t->upper), along[2], x[2], away, share;
    int edge, k;
    z[t->first] = normal / p->unit[t->first];
    if (t->segments == 0) return;
    dvci_touch_clamp(t, dvci_max(normal, 0), t->x + 1, x);
    if (t->segments == 1) {
        z[t->first + 1] = x[0] / p->unit[t->first + 1];
        return;
    }
    away = dvci_touch_edge(t, x, &edge, along);
    share = t->apothem > 0 ? away / t->apothem * t->half : 0;
    for (k = 0; k < t->segments; k++) {
        const dvc_real *at = t->fan + 2 * k;
        dvc_real across = along[0] * at[1] - along[1] * at[0], part = across > 0 ? share : -share;
        if (k == edge) continue;
        z[t->first + 1 + k] = part / p->unit[t->first + 1 + k];
        x[0] -= at[0] * part;
        x[1] -= at[1] * part;
    }
    z[t->first + 1 + edge] = (along[0] * x[0] + along[1] * x[1]) / p->unit[t->first + 1 + edge];
}

/* Bodies go on along the way of the sweeps before. */
static void dvci_touches_lead(dvci_touches *s, dvc_real by)
{
    int i;
    for (i = 0; i < s->bodies; i++) {
        dvci_twist *nu = &s->nu[i], *last = &s->last[i], *way = &s->way[i];
        dvc_vec3 v = dvci_scale(way->v, by), w = dvci_scale(way->w, by);
        way->v = dvci_add(v, dvci_sub(nu->v, last->v));
        way->w = dvci_add(w, dvci_sub(nu->w, last->w));
        nu->v = dvci_add(nu->v, v);
        nu->w = dvci_add(nu->w, w);
        *last = *nu;
    }
}

/* A step along the way of the sweeps before, and a sweep; returns how far that went: the sum of d x^2. */
static dvc_real dvci_touches_sweep(dvci_touches *s, dvc_real by)
{
    dvc_real went = 0;
    int i, lane;
    dvci_touches_lead(s, by);
    for (i = 0; i < s->count; i++) {
        dvci_touch *t = &s->of[i];
        for (lane = 0; lane < t->lanes; lane++) {
            dvc_real ahead = by * t->way[lane];
            t->way[lane] = ahead + t->went[lane];
            t->x[lane] += ahead;
        }
        dvci_touch_relax(s, t);
        for (lane = 0; lane < t->lanes; lane++) went += t->d[lane][lane] * t->went[lane] * t->went[lane];
    }
    return went;
}

/* The better of z and another one stays in z; returns its residual. */
static dvc_real dvci_take_better(dvci_task *task, dvc_real *other)
{
    dvc_real mine = dvci_mcp_residual(task);
    int i, times;
    for (times = 0; times < 2; times++) {
        for (i = 0; i < task->p->n; i++) {
            dvc_real keep = task->z[i];
            task->z[i] = other[i];
            other[i] = keep;
        }
        if (!(dvci_mcp_residual(task) > mine)) break;
    }
    return task->residual;
}

/* Sweeps, each after a step along the way of the sweeps before (nonlinear conjugate gradients, with what a sweep changes
 * for a gradient): a few dozen do what hundreds of plain ones do. From task->z; stops by residual, number or time. Where rows
 * measure something else than they push, sweeps may run away: if they end farther from each other than they began, z is not left
 * worse than it was. */
static dvc_status dvci_solve_over_bodies(dvci_task *task, int limit)
{
    const dvci_mcp *p = task->p;
    size_t mark = task->arena->used;
    dvci_touches s;
    dvc_real first = 0, before = 0, now = 0, by = 0, gap = DVC_INFINITY, *start = dvci_alloc_reals(task->arena, (size_t)p->n);
    int i, k;
    if (!dvci_touches_make(p, &s, task->arena)) return DVC_ERROR_SCRATCH;
    memcpy(start, task->z, (size_t)p->n * sizeof *start);
    dvci_touches_read(p, task->z, &s);
    memset(s.way, 0, (size_t)s.bodies * sizeof *s.way);
    memcpy(s.last, s.nu, (size_t)s.bodies * sizeof *s.nu);
    for (k = 0; k < limit; k++) {
        now = dvci_touches_sweep(&s, by);
        task->iterations++;
        if (k == 0) first = now;
        if (!(now <= DVCI_RUNAWAY * first)) break;
        by = before > now ? now / before : 0;
        before = now;
        if (k % DVCI_LOOK != DVCI_LOOK - 1 && k + 1 < limit && now > 0 && !dvci_time_is_up(&task->watch)) continue;
        for (i = 0; i < s.count; i++) dvci_touch_write(p, &s.of[i], task->z);
        gap = dvci_mcp_residual(task);
        if (gap <= DVCI_LCP_ZERO || now == 0 || dvci_time_is_up(&task->watch)) break;
    }
    if (!(now <= first)) gap = dvci_take_better(task, start);
    task->arena->used = mark;
    return gap <= task->tolerance ? DVC_OK : DVC_ERROR_LCP_LIMIT;
}

/* The same with all rows at once from the old w: Jacobi (rate = factor / A_ii) or prox (one rate). */
static void dvci_sweep_at_once(const dvci_mcp *p, dvc_real factor, dvc_real rate, dvc_real *z, dvc_real *w)
{
    int i;
    for (i = 0; i < p->n; i++) z[i] -= (rate > 0 ? rate : factor / dvci_mcp_column(p, i)[i]) * w[i];
    dvci_mcp_project(p, z);
    dvci_mcp_apply(p, z, w);
}

/* 1 / the largest row sum of |A|: with it z - r (A z + b) contracts for every diagonally dominant or symmetric positive
 * matrix. */
static dvc_real dvci_prox_rate(const dvci_mcp *p, dvc_real *sums)
{
    dvc_real largest = 0;
    int i, j;
    dvci_fill(p->n, 0, sums);
    for (j = 0; j < p->n; j++)
        for (i = 0; i < p->n; i++) sums[i] += dvci_abs(dvci_mcp_column(p, j)[i]);
    for (i = 0; i < p->n; i++) largest = dvci_max(largest, sums[i]);
    return largest > 0 ? 1 / largest : 1;
}

/* One sweep tells nothing about the next: solved is what stays within the tolerance for three in a row. */
static dvc_status dvci_solve_by_sweeps(dvci_task *task, dvc_solver method)
{
    const dvci_mcp *p = task->p;
    int limit = task->max_iterations > 0 ? task->max_iterations : 1000, k, calm = 0;
    dvc_real factor = method == DVC_PGS      ? 1
                      : task->relaxation > 0 ? task->relaxation
                      : method == DVC_PSOR   ? DVCI_R(1.3)
                                             : DVCI_R(0.5);
    dvc_real rate = method == DVC_PROX ? dvci_prox_rate(p, task->w) : 0, *rates = NULL;
    if (method != DVC_PROX && !dvci_diagonal_positive(p)) return DVC_ERROR_LCP_DIAGONAL;
    if (p->product && !dvci_diagonal_rates(p, task->arena, &rates)) return DVC_ERROR_SCRATCH;
    dvci_mcp_project(p, task->z);
    dvci_mcp_apply(p, task->z, task->w);
    for (k = 0; k < limit; k++) {
        dvc_real gap;
        if (p->product) {
            dvci_sweep_bodies(p, rates, factor, task->z);
            dvci_mcp_apply(p, task->z, task->w);
        } else if (method == DVC_PGS || method == DVC_PSOR) dvci_sweep_relaxed(p, factor, task->z, task->w);
        else dvci_sweep_at_once(p, factor, rate, task->z, task->w);
        task->iterations++;
        gap = dvci_mcp_gap(p, task->z, task->w);
        calm = gap <= task->tolerance / 4 ? calm + 1 : 0; /* a margin for the rounding that w has gathered */
        if (calm == 3) return dvci_mcp_residual(task) <= task->tolerance ? DVC_OK : DVC_ERROR_LCP_NOT_SOLVED;
        if (gap >= DVC_INFINITY) return DVC_ERROR_LCP_NOT_SOLVED;
    }
    return DVC_ERROR_LCP_LIMIT;
}

/* ---- dense linear algebra: LU with row exchanges, and a profile LDU without ---- */

/* Factors the n x n matrix a (by rows, leading dimension ld) in place, P a = L U. False if it is singular to rounding. */
static bool dvci_lu_factor(int n, int ld, dvc_real *a, int *order)
{
    int i, j, k;
    for (k = 0; k < n; k++) {
        int best = k;
        dvc_real largest = 0;
        for (i = k; i < n; i++) {
            dvc_real size = dvci_abs(a[(size_t)i * (size_t)ld + (size_t)k]);
            if (size > largest) { largest = size; best = i; }
        }
        order[k] = best;
        if (!(largest > DVCI_LCP_DEPENDENT * DVCI_LCP_DEPENDENT) || !dvci_finite(largest)) return false;
        if (best != k)
            for (j = 0; j < n; j++) {
                dvc_real *x = a + (size_t)best * (size_t)ld + j, *y = a + (size_t)k * (size_t)ld + j, keep = *x;
                *x = *y;
                *y = keep;
            }
        for (i = k + 1; i < n; i++) {
            dvc_real *row = a + (size_t)i * (size_t)ld, *pivot = a + (size_t)k * (size_t)ld, factor = row[k] / pivot[k];
            row[k] = factor;
            if (factor != 0) dvci_axpy(n - k - 1, -factor, pivot + k + 1, row + k + 1);
        }
    }
    return true;
}

static void dvci_lu_solve(int n, int ld, const dvc_real *a, const int *order, dvc_real *x)
{
    int i;
    for (i = 0; i < n; i++) {
        dvc_real keep = x[order[i]];
        x[order[i]] = x[i];
        x[i] = keep;
    }
    for (i = 1; i < n; i++) x[i] -= dvci_dot_n(i, a + (size_t)i * (size_t)ld, x);
    for (i = n - 1; i >= 0; i--) {
        const dvc_real *row = a + (size_t)i * (size_t)ld;
        x[i] = (x[i] - dvci_dot_n(n - i - 1, row + i + 1, x + i + 1)) / row[i];
    }
}

/* A matrix with the same profile left of and above the diagonal, K = (I + L) D (I + U), both triangles by rows:
 * lower[i n + j] is L_ij, upper[i n + j] is U_ji, j < i. Stacks and chains have short profiles: their factors cost n, not
 * n^3. No exchanges: fit for contact problems, whose symmetric part is positive; a pivot that vanishes belongs to a row
 * that depends on the rows before it (a fourth leg): it is left out, its unknown is 0. */
typedef struct dvci_profile {
    int n;
    bool symmetric;    /* U = L, `upper` unused */
    dvc_real *lower, *upper; /* packed: row i holds the columns start[i] .. i - 1 from at[i] on */
    size_t *at;        /* (n) */
    size_t size;       /* of a triangle */
    dvc_real *pivot;   /* (n) D; 0: left out */
    dvc_real *inverse; /* (n) of D; 0: left out */
    int *start;        /* (n) first column of the row that is not zero */
} dvci_profile;

/* Room for the rows once n and start are known. */
static bool dvci_profile_room(dvci_profile *f, dvci_arena *arena)
{
    size_t size = 0, i;
    for (i = 0; i < (size_t)f->n; i++) {
        size_t row = i - (size_t)f->start[i];
        f->at[i] = size;
        size = row > (size_t)-1 - size ? (size_t)-1 : size + row;
    }
    f->lower = dvci_alloc_reals(arena, size);
    f->upper = f->symmetric ? f->lower : dvci_alloc_reals(arena, size);
    f->size = size;
    return !arena->failed;
}

/* Row i of one triangle: x_j <- (x_j - sum_k x_k y_jk) for j < i, y being the rows of the other triangle. */
static inline void dvci_profile_eliminate(const dvci_profile *f, int i, dvc_real *x, const dvc_real *other)
{
    int j, from = f->start[i];
    for (j = from + 1; j < i; j++) {
        int start = f->start[j], k = start > from ? start : from;
        if (k < j) x[j - from] -= dvci_dot_n(j - k, x + (k - from), other + f->at[j] + (size_t)(k - start));
    }
}

/* On entry the triangles hold the matrix; `pivot` its diagonal. Is a row left out? */
static bool dvci_profile_factor(dvci_profile *f)
{
    bool dependent = false;
    int i, j;
    for (i = 0; i < f->n; i++) {
        dvc_real *low = f->lower + f->at[i], *up = f->upper + f->at[i], diagonal = f->pivot[i], full = dvci_abs(diagonal);
        int from = f->start[i];
        dvci_profile_eliminate(f, i, low, f->upper);
        if (!f->symmetric) dvci_profile_eliminate(f, i, up, f->lower);
        for (j = from; j < i; j++) {
            dvc_real scaled = low[j - from] * f->inverse[j];
            diagonal -= scaled * up[j - from];
            low[j - from] = scaled;
        }
        for (j = from; !f->symmetric && j < i; j++) up[j - from] *= f->inverse[j];
        f->pivot[i] = dvci_abs(diagonal) > DVCI_LCP_DEPENDENT * full ? diagonal : 0;
        f->inverse[i] = f->pivot[i] != 0 ? 1 / f->pivot[i] : 0;
        dependent = dependent || f->pivot[i] == 0;
    }
    return dependent;
}

static void dvci_profile_solve(const dvci_profile *f, dvc_real *x)
{
    int i;
    for (i = 0; i < f->n; i++) x[i] -= dvci_dot_n(i - f->start[i], f->lower + f->at[i], x + f->start[i]);
    for (i = 0; i < f->n; i++) x[i] *= f->inverse[i];
    for (i = f->n - 1; i > 0; i--) dvci_axpy(i - f->start[i], -x[i], f->upper + f->at[i], x + f->start[i]);
}

/* ---- the same where rows outnumber what bodies can do ----
 * With A = R Q over the velocities of the bodies (Q: what unknowns give them, R: what rows see of it) and D the compliance,
 *
 *     (R Q + D) z = r     is     z = D^-1 (r - R nu),     (1 + Q D^-1 R) nu = Q D^-1 r:
 *
 * one block for each body and each pair of bodies that share rows, however many rows they share. Bodies are eliminated one
 * after the other, always one of those with the fewest neighbours left; of equals the one with the lowest number.
 */
typedef struct dvci_blocks {
    int bodies, width;
    int *rank;           /* (bodies) when a body is eliminated */
    int *body;           /* (bodies) which body is eliminated as k-th */
    int *count, *first;  /* (bodies) of the bodies still tied to it then, and where its slots begin */
    int **later;         /* (bodies) those bodies' ranks, ascending: (count) */
    int slots;           /* all of them */
    dvc_real *diagonal;  /* (bodies x w^2) by ranks; its inverse once eliminated */
    dvc_real *below;     /* (slots x w^2) block of the later body's rows and the earlier one's columns; */
    dvc_real *above;     /* (slots x w^2) the other way round */
    dvc_real *nu;        /* (bodies x w) */
} dvci_blocks;

#define DVCI_MOST_SLOTS (1 << 30) /* they are counted in int */

/* The graph while bodies are being eliminated: neighbours not met through an eliminated body, and eliminated ones. */
typedef struct dvci_graph {
    int *first;    /* (bodies + 1) */
    int *near;     /* (first[bodies]) */
    int *met;      /* (first[bodies]) never more than there were neighbours */
    int *near_count, *met_count, *degree, *mark; /* (bodies) */
    int *least;    /* (2 leaves) who has the fewest neighbours of those below a node of a tree over the bodies; -1: none is left */
    int leaves;    /* a power of two */
    int stamp;
} dvci_graph;

static void dvci_graph_carve(dvci_graph *g, int bodies, int rows, dvci_arena *arena)
{
    size_t count = (size_t)bodies;
    g->first = dvci_alloc_ints(arena, count + 1);
    g->near = dvci_alloc_ints(arena, 2 * (size_t)rows);
    g->met = dvci_alloc_ints(arena, 2 * (size_t)rows);
    g->near_count = dvci_alloc_ints(arena, count);
    g->met_count = dvci_alloc_ints(arena, count);
    g->degree = dvci_alloc_ints(arena, count);
    g->mark = dvci_alloc_ints(arena, count);
    for (g->leaves = 1; g->leaves < bodies; g->leaves *= 2) {}
    g->least = dvci_alloc_ints(arena, 2 * (size_t)g->leaves);
    g->stamp = 0;
}

/* Of two bodies the one with fewer neighbours; of equals the one on the left, which has the lower number. */
static void dvci_graph_compare(dvci_graph *g, int node)
{
    int left = g->least[2 * node], right = g->least[2 * node + 1];
    g->least[node] = left < 0 || (right >= 0 && g->degree[right] < g->degree[left]) ? right : left;
}

static void dvci_graph_sort(dvci_graph *g, int bodies)
{
    int i;
    for (i = 0; i < g->leaves; i++) g->least[g->leaves + i] = i < bodies ? i : -1;
    for (i = g->leaves - 1; i > 0; i--) dvci_graph_compare(g, i);
}

/* The body's neighbours have changed, or it is gone. */
static void dvci_graph_resort(dvci_graph *g, int body, bool gone)
{
    int node;
    if (gone) g->least[g->leaves + body] = -1;
    for (node = (g->leaves + body) / 2; node > 0; node /= 2) dvci_graph_compare(g, node);
}

/* Neighbours from the rows, each once. Rows of a pair follow each other, so most doubles are seen at once. */
static void dvci_graph_fill(dvci_graph *g, const dvci_product *q)
{
    int body, i;
    for (body = 0; body < q->bodies; body++) g->mark[body] = -1;
    for (g->first[0] = 0, body = 0; body < q->bodies; body++) {
        int at = g->first[body];
        for (i = q->list_first[body]; i < q->list_first[body + 1]; i++) {
            int other = q->body[q->list[i] ^ 1];
            if (other < 0 || g->mark[other] == body) continue;
            g->mark[other] = body;
            g->near[at++] = other;
        }
        g->first[body + 1] = at;
        g->near_count[body] = g->degree[body] = at - g->first[body];
        g->met_count[body] = 0;
    }
    for (body = 0; body < q->bodies; body++) g->mark[body] = 0;
}

/* Bodies that are tied to `body` now; those of eliminated ones through their lists. Returns how many; `list` may be NULL. */
static int dvci_graph_neighbours(dvci_graph *g, const dvci_blocks *f, int body, int *list)
{
    int stamp = ++g->stamp, count = 0, i, k;
    g->mark[body] = stamp;
    for (i = g->first[body]; i < g->first[body] + g->near_count[body]; i++) {
        int other = g->near[i];
        if (f->rank[other] >= 0 || g->mark[other] == stamp) continue;
        g->mark[other] = stamp;
        if (list) list[count] = other;
        count++;
    }
    for (i = g->first[body]; i < g->first[body] + g->met_count[body]; i++)
        for (k = 0; k < f->count[g->met[i]]; k++) {
            int other = f->later[g->met[i]][k];
            if (f->rank[other] >= 0 || g->mark[other] == stamp) continue;
            g->mark[other] = stamp;
            if (list) list[count] = other;
            count++;
        }
    return count;
}

/* The k-th elimination has tied `body` to all of its list: what it met through the same, it meets through this one now. */
static void dvci_graph_tie(dvci_graph *g, const dvci_blocks *f, int body, int k)
{
    int i, kept = 0, gone = f->body[k], *met = g->met + g->first[body], *near = g->near + g->first[body];
    for (i = 0; i < g->met_count[body]; i++)
        if (g->mark[f->body[met[i]]] != -1 - k) met[kept++] = met[i];
    met[kept++] = k;
    g->met_count[body] = kept;
    for (kept = 0, i = 0; i < g->near_count[body]; i++)
        if (near[i] != gone) near[kept++] = near[i];
    g->near_count[body] = kept;
}

static void dvci_sort_ints(int count, int *list)
{
    int i, k;
    for (i = 1; i < count; i++) {
        int value = list[i];
        for (k = i; k > 0 && list[k - 1] > value; k--) list[k] = list[k - 1];
        list[k] = value;
    }
}

/* Body k of the order is eliminated; its list is allocated as it comes. */
static bool dvci_blocks_eliminate(dvci_blocks *f, dvci_graph *g, int k, int body, dvci_arena *arena)
{
    int i;
    f->later[k] = dvci_alloc_ints(arena, (size_t)g->degree[body]);
    if (arena->failed) return false;
    f->count[k] = dvci_graph_neighbours(g, f, body, f->later[k]);
    f->first[k] = f->slots;
    if (f->count[k] > DVCI_MOST_SLOTS - f->slots) dvci_alloc(arena, (size_t)-1, 1); /* more than there is */
    if (arena->failed) return false;
    f->slots += f->count[k];
    f->rank[body] = k;
    f->body[k] = body;
    for (i = 0; i < g->met_count[body]; i++) g->mark[f->body[g->met[g->first[body] + i]]] = -1 - k;
    for (i = 0; i < f->count[k]; i++) dvci_graph_tie(g, f, f->later[k][i], k);
    dvci_graph_resort(g, body, true);
    for (i = 0; i < f->count[k]; i++) {
        g->degree[f->later[k][i]] = dvci_graph_neighbours(g, f, f->later[k][i], NULL);
        dvci_graph_resort(g, f->later[k][i], false);
    }
    return true;
}

/* The order of elimination and the slots it fills: once for a problem. */
static bool dvci_blocks_plan(dvci_blocks *f, const dvci_mcp *p, dvci_arena *arena)
{
    const dvci_product *q = p->product;
    size_t count = (size_t)q->bodies, square = (size_t)q->width * (size_t)q->width;
    dvci_graph g;
    int i, k;
    f->bodies = q->bodies;
    f->width = q->width;
    f->slots = 0;
    f->rank = dvci_alloc_ints(arena, count);
    f->body = dvci_alloc_ints(arena, count);
    f->count = dvci_alloc_ints(arena, count);
    f->first = dvci_alloc_ints(arena, count);
    f->later = (int **)dvci_alloc(arena, count, sizeof *f->later);
    dvci_graph_carve(&g, q->bodies, p->n, arena);
    if (arena->failed) return false;
    dvci_graph_fill(&g, q);
    for (i = 0; i < f->bodies; i++) f->rank[i] = -1;
    dvci_graph_sort(&g, f->bodies);
    for (k = 0; k < f->bodies; k++)
        if (!dvci_blocks_eliminate(f, &g, k, g.least[1], arena)) return false;
    for (k = 0; k < f->bodies; k++) {
        for (i = 0; i < f->count[k]; i++) f->later[k][i] = f->rank[f->later[k][i]];
        dvci_sort_ints(f->count[k], f->later[k]);
    }
    f->diagonal = dvci_alloc_reals(arena, count * square);
    f->below = dvci_alloc_reals(arena, dvci_times((size_t)f->slots, square));
    f->above = dvci_alloc_reals(arena, dvci_times((size_t)f->slots, square));
    f->nu = dvci_alloc_reals(arena, count * (size_t)q->width);
    return !arena->failed;
}

/* The slot of ranks k < i; each has one. */
static int dvci_blocks_slot(const dvci_blocks *f, int k, int i)
{
    int low = 0, high = f->count[k] - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (f->later[k][middle] < i) low = middle + 1;
        else high = middle;
    }
    return f->first[k] + low;
}

static dvc_real *dvci_block_at(const dvci_blocks *f, dvc_real *blocks, int i)
{
    return blocks + (size_t)i * (size_t)(f->width * f->width);
}

static void dvci_blocks_clear(dvci_blocks *f)
{
    int i, k, w = f->width;
    for (i = 0; i < f->slots; i++) dvci_fill(w * w, 0, dvci_block_at(f, f->below, i));
    for (i = 0; i < f->slots; i++) dvci_fill(w * w, 0, dvci_block_at(f, f->above, i));
    for (i = 0; i < f->bodies; i++) {
        dvc_real *block = dvci_block_at(f, f->diagonal, i);
        dvci_fill(w * w, 0, block);
        for (k = 0; k < w; k++) block[k * (w + 1)] = 1;
    }
}

/* An unknown of compliance 1 / s on the two bodies (-1: none) adds s column row'. */
static void dvci_blocks_add(dvci_blocks *f, const int *body, dvc_real s, const dvc_real *column, const dvc_real *row)
{
    int w = f->width, a = body[0] < 0 ? -1 : f->rank[body[0]], b = body[1] < 0 ? -1 : f->rank[body[1]], slot;
    if (a >= 0) dvci_block_rank_one(w, s, column, row, dvci_block_at(f, f->diagonal, a));
    if (b >= 0) dvci_block_rank_one(w, s, column + w, row + w, dvci_block_at(f, f->diagonal, b));
    if (a < 0 || b < 0) return;
    slot = dvci_blocks_slot(f, dvci_imin(a, b), dvci_imax(a, b));
    dvci_block_rank_one(w, s, column, row + w, dvci_block_at(f, a > b ? f->below : f->above, slot));
    dvci_block_rank_one(w, s, column + w, row, dvci_block_at(f, a > b ? f->above : f->below, slot));
}

/* The inverse of a block, in place. Rows change places among those of the same unit only. False if there is none. */
static bool dvci_block_invert(int w, dvc_real *a)
{
    int order[6], i, j, k;
    for (k = 0; k < w; k++) {
        int linear = w == 3 ? 2 : 3, best = k, end = k < linear ? linear : w;
        dvc_real pivot;
        for (i = k + 1; i < end; i++)
            if (dvci_abs(a[w * i + k]) > dvci_abs(a[w * best + k])) best = i;
        order[k] = best;
        for (j = 0; best != k && j < w; j++) {
            dvc_real keep = a[w * k + j];
            a[w * k + j] = a[w * best + j];
            a[w * best + j] = keep;
        }
        pivot = a[w * k + k];
        if (pivot == 0 || !dvci_finite(pivot)) return false;
        a[w * k + k] = 1;
        for (j = 0; j < w; j++) a[w * k + j] /= pivot;
        for (i = 0; i < w; i++) {
            dvc_real factor = a[w * i + k];
            if (i == k) continue;
            a[w * i + k] = 0;
            for (j = 0; j < w; j++) a[w * i + j] -= factor * a[w * k + j];
        }
    }
    for (k = w - 1; k >= 0; k--) /* exchanged rows are exchanged columns of the inverse */
        for (i = 0; order[k] != k && i < w; i++) {
            dvc_real keep = a[w * i + k];
            a[w * i + k] = a[w * i + order[k]];
            a[w * i + order[k]] = keep;
        }
    return true;
}

/* What the elimination of body k leaves to those after it. */
static void dvci_blocks_pass_on(dvci_blocks *f, int k)
{
    int w = f->width, i, j;
    const int *later = f->later[k];
    for (j = 0; j < f->count[k]; j++) {
        const dvc_real *low = dvci_block_at(f, f->below, f->first[k] + j), *up = dvci_block_at(f, f->above, f->first[k] + j);
        const int *list = f->later[later[j]];
        int at = 0;
        dvci_block_take(w, low, up, dvci_block_at(f, f->diagonal, later[j]));
        for (i = j + 1; i < f->count[k]; i++) {
            while (list[at] != later[i]) at++;
            dvci_block_take(w, dvci_block_at(f, f->below, f->first[k] + i), up,
                            dvci_block_at(f, f->below, f->first[later[j]] + at));
            dvci_block_take(w, low, dvci_block_at(f, f->above, f->first[k] + i),
                            dvci_block_at(f, f->above, f->first[later[j]] + at));
        }
    }
}

static bool dvci_blocks_factor(dvci_blocks *f)
{
    dvc_real negative[36], *low;
    int w = f->width, k, i, j;
    for (k = 0; k < f->bodies; k++) {
        dvc_real *inverse = dvci_block_at(f, f->diagonal, k);
        if (!dvci_block_invert(w, inverse)) return false;
        for (i = 0; i < f->count[k]; i++) {
            low = dvci_block_at(f, f->below, f->first[k] + i);
            for (j = 0; j < w * w; j++) {
                negative[j] = -low[j];
                low[j] = 0;
            }
            dvci_block_take(w, negative, inverse, low);
        }
        dvci_blocks_pass_on(f, k);
    }
    return true;
}

static void dvci_block_times(int w, const dvc_real *a, const dvc_real *x, dvc_real *y)
{
    int i;
    for (i = 0; i < w; i++) y[i] += dvci_row_dot(w, a + w * i, x);
}

/* x by ranks, in place. */
static void dvci_blocks_solve(const dvci_blocks *f, dvc_real *x)
{
    int w = f->width, k, i, j;
    dvc_real sum[6];
    for (k = 0; k < f->bodies; k++)
        for (i = 0; i < f->count[k]; i++) {
            dvci_fill(w, 0, sum);
            dvci_block_times(w, dvci_block_at(f, f->below, f->first[k] + i), x + w * k, sum);
            for (j = 0; j < w; j++) x[w * f->later[k][i] + j] -= sum[j];
        }
    for (k = f->bodies - 1; k >= 0; k--) {
        dvci_fill(w, 0, sum);
        for (i = 0; i < f->count[k]; i++)
            dvci_block_times(w, dvci_block_at(f, f->above, f->first[k] + i), x + w * f->later[k][i], sum);
        for (j = 0; j < w; j++) sum[j] = x[w * k + j] - sum[j];
        dvci_fill(w, 0, x + w * k);
        dvci_block_times(w, dvci_block_at(f, f->diagonal, k), sum, x + w * k);
    }
}

/* ---- what bears what ----
 * Where the last step's impulses tell nothing (something was set up, or lands), loads are handed down. From what is fixed outwards
 * each body comes to rest on what bears it, as if that could not move. Then back, from the outermost body on, each leaves what it
 * has to bear to those below it. A body at a time, these are six equations; what stands in order, however much of it there is, is
 * solved to rounding in two passes over the bodies. The first body that those below cannot hold so ends it: nothing is lost but
 * the way so far.
 */
typedef struct dvci_bearing {
    dvci_touches touches;
    int *first, *list;  /* (bodies + 1), (2 count) touches of each body as 2 touch + side; what is fixed is the last body */
    int *place, *queue; /* (bodies) places in the order from what is fixed outwards, -1: not reached; who is there */
    dvci_twist *owed;   /* (bodies) momentum that each is to receive from those before it */
    int *held;          /* (most touches of a body) those that hold the body in work, as in `list` */
    int held_count;
    dvc_real *stiff;    /* (2 most touches) of their normals, and of their friction */
    dvc_real inverse[36]; /* of 1 + M^-1 times what they do to the body */
} dvci_bearing;

#define DVCI_BEAR_BODIES 2                /* fewer are as quickly solved as handed down, */
#define DVCI_BEAR_SMOOTH 16               /* and without friction more */
#define DVCI_BEAR_ROUNDS 6                /* of refinement of a body's equations */
#define DVCI_BEAR_SLIP 8                  /* slip per blow and friction that is not tried to be stopped */
#define DVCI_BEAR_SLACK (100 * DVCI_LCP_ZERO) /* speed that counts as none: the judge is stricter */

/* Momentum that a unit impulse of the lane gives the body on that side, and what the lane measures of it. */
static dvci_twist dvci_touch_force(const dvci_touch *t, int side, int lane)
{
    dvci_twist f;
    f.v = side ? t->force[lane] : dvci_neg(t->force[lane]);
    f.w = side ? t->turn_b[lane] : t->turn_a[lane];
    return f;
}

static dvci_twist dvci_touch_measure(const dvci_touch *t, int side, int lane)
{
    dvci_twist g;
    if (lane > 0) return dvci_touch_force(t, side, lane);
    g.v = side ? t->row_v : dvci_neg(t->row_v);
    g.w = side ? t->row_b : t->row_a;
    return g;
}

static dvc_real dvci_twist_dot(const dvci_twist *a, const dvci_twist *b) { return dvci_dot(a->v, b->v) + dvci_dot(a->w, b->w); }

static dvci_twist dvci_twist_madd(dvci_twist a, const dvci_twist *b, dvc_real times)
{
    a.v = dvci_madd(a.v, b->v, times);
    a.w = dvci_madd(a.w, b->w, times);
    return a;
}

static dvci_twist dvci_matter_gain(const dvci_matter *m, dvci_twist momentum)
{
    momentum.v = dvci_scale(momentum.v, m->inverse_mass);
    momentum.w = dvci_mul(m->inverse_inertia, momentum.w);
    return momentum;
}

static bool dvci_bearing_carve(dvci_bearing *s, dvci_arena *arena)
{
    size_t bodies = (size_t)s->touches.bodies, touches = (size_t)s->touches.count;
    s->first = dvci_alloc_ints(arena, bodies + 1);
    s->list = dvci_alloc_ints(arena, 2 * touches);
    s->place = dvci_alloc_ints(arena, bodies);
    s->queue = dvci_alloc_ints(arena, bodies);
    s->owed = (dvci_twist *)dvci_alloc(arena, bodies, sizeof *s->owed);
    s->held = dvci_alloc_ints(arena, touches);
    s->stiff = dvci_alloc_reals(arena, 2 * touches);
    return !arena->failed;
}

/* Touches of each body. False: what only touches does not do for is among them. */
static bool dvci_bearing_list(dvci_bearing *s)
{
    int bodies = s->touches.bodies, i, k;
    for (i = 0; i <= bodies; i++) s->first[i] = 0;
    for (i = 0; i < s->touches.count; i++) {
        const dvci_touch *t = &s->touches.of[i];
        if (t->lower != 0 || !dvci_no_bound(t->upper) || t->give != 0) return false;
        for (k = 0; k < 2; k++) s->first[t->body[k]]++;
    }
    for (i = 1; i <= bodies; i++) s->first[i] += s->first[i - 1];
    for (i = s->touches.count - 1; i >= 0; i--)
        for (k = 1; k >= 0; k--) s->list[--s->first[s->touches.of[i].body[k]]] = 2 * i + k;
    return true;
}

/* Who is next to whom, from what is fixed on. False: not all are reached. */
static bool dvci_bearing_order(dvci_bearing *s)
{
    int bodies = s->touches.bodies, head, tail = 0, k;
    for (k = 0; k < bodies; k++) s->place[k] = -1;
    s->place[bodies - 1] = 0;
    s->queue[tail++] = bodies - 1;
    for (head = 0; head < tail; head++)
        for (k = s->first[s->queue[head]]; k < s->first[s->queue[head] + 1]; k++) {
            int other = s->touches.of[s->list[k] / 2].body[1 - s->list[k] % 2];
            if (s->place[other] >= 0) continue;
            s->place[other] = tail;
            s->queue[tail++] = other;
        }
    return tail == bodies;
}

static dvc_real dvci_bearing_see(const dvci_bearing *s, const dvci_touch *t, int lane)
{
    dvci_twist a = dvci_touch_measure(t, 0, lane), b = dvci_touch_measure(t, 1, lane);
    return t->b[lane] + (dvci_twist_dot(&a, &s->touches.nu[t->body[0]]) + dvci_twist_dot(&b, &s->touches.nu[t->body[1]]));
}

/* The held touches as springs: the matrix that makes of a push what the body does against them. */
static bool dvci_bearing_factor(dvci_bearing *s, int body, bool measured)
{
    dvc_real column[6], row[6];
    int i, lane;
    dvci_fill(36, 0, s->inverse);
    for (i = 0; i < 6; i++) s->inverse[7 * i] = 1;
    for (i = 0; i < s->held_count; i++) {
        const dvci_touch *t = &s->touches.of[s->held[i] / 2];
        int side = s->held[i] % 2;
        for (lane = 0; lane < t->lanes; lane++) {
            dvci_twist f = dvci_touch_force(t, side, lane), g = measured ? dvci_touch_measure(t, side, lane) : f;
            dvci_twist gain = dvci_matter_gain(&s->touches.matter[body], f);
            dvci_row_part(6, gain.v, gain.w, column);
            dvci_row_part(6, g.v, g.w, row);
            dvci_block_rank_one(6, s->stiff[2 * i + (lane > 0)], column, row, s->inverse);
        }
    }
    return dvci_block_invert(6, s->inverse);
}

static dvci_twist dvci_bearing_solve(const dvci_bearing *s, dvci_twist x)
{
    dvc_real from[6], to[6] = { 0, 0, 0, 0, 0, 0 };
    dvci_row_part(6, x.v, x.w, from);
    dvci_block_times(6, s->inverse, from, to);
    x.v = dvci_vec(to[0], to[1], to[2]);
    x.w = dvci_vec(to[3], to[4], to[5]);
    return x;
}

/* Springs so stiff that a body hardly gives way; friction's may be softer. */
static void dvci_bearing_stiffen(dvci_bearing *s, int i, dvc_real rubs)
{
    const dvci_touch *t = &s->touches.of[s->held[i] / 2];
    dvc_real stiff = 1 / (DVCI_LCP_SHARE * t->pivot);
    s->stiff[2 * i] = stiff;
    s->stiff[2 * i + 1] = stiff * rubs;
}

/* ---- outwards: where each body comes to rest ---- */

/* One round: what the held touches still see is taken away. Returns the most of it. */
static dvc_real dvci_bearing_stop(dvci_bearing *s, int body)
{
    dvci_twist push, gain, *nu = &s->touches.nu[body];
    dvc_real most = 0;
    int i, lane;
    memset(&push, 0, sizeof push);
    for (i = 0; i < s->held_count; i++) {
        dvci_touch *t = &s->touches.of[s->held[i] / 2];
        for (lane = 0; lane < t->lanes; lane++) {
            dvci_twist f = dvci_touch_force(t, s->held[i] % 2, lane);
            dvc_real seen = dvci_bearing_see(s, t, lane);
            t->went[lane] = seen;
            most = dvci_max(most, dvci_abs(seen));
            push = dvci_twist_madd(push, &f, -s->stiff[2 * i + (lane > 0)] * seen);
        }
    }
    gain = dvci_bearing_solve(s, dvci_matter_gain(&s->touches.matter[body], push));
    memset(&push, 0, sizeof push);
    for (i = 0; i < s->held_count; i++) {
        const dvci_touch *t = &s->touches.of[s->held[i] / 2];
        for (lane = 0; lane < t->lanes; lane++) {
            dvci_twist f = dvci_touch_force(t, s->held[i] % 2, lane), g = dvci_touch_measure(t, s->held[i] % 2, lane);
            push = dvci_twist_madd(push, &f, -s->stiff[2 * i + (lane > 0)] * (t->went[lane] + dvci_twist_dot(&g, &gain)));
        }
    }
    s->owed[body] = dvci_twist_madd(s->owed[body], &push, 1);
    gain = dvci_matter_gain(&s->touches.matter[body], push);
    *nu = dvci_twist_madd(*nu, &gain, 1);
    return most;
}

/* Is the touch one with a body before? */
static bool dvci_bearing_is_below(const dvci_bearing *s, int body, int item)
{
    return s->place[s->touches.of[item / 2].body[1 - item % 2]] < s->place[body];
}

/* Touches that would go into those before are held, too; returns how many more there are. */
static int dvci_bearing_meet(dvci_bearing *s, int body)
{
    int k, i, before = s->held_count;
    for (k = s->first[body]; k < s->first[body + 1]; k++) {
        if (!dvci_bearing_is_below(s, body, s->list[k])) continue;
        if (!(dvci_bearing_see(s, &s->touches.of[s->list[k] / 2], 0) < -DVCI_BEAR_SLACK)) continue;
        for (i = 0; i < before && s->held[i] != s->list[k]; i++) {}
        if (i < before) continue;
        s->held[s->held_count] = s->list[k];
        dvci_bearing_stiffen(s, s->held_count++, 1);
    }
    return s->held_count - before;
}

/* The body comes to rest on those before it. False: it cannot. */
static bool dvci_bearing_settle(dvci_bearing *s, int body)
{
    dvc_real left = 0;
    int round;
    s->held_count = 0;
    while (dvci_bearing_meet(s, body) > 0) {
        if (!dvci_bearing_factor(s, body, true)) return false;
        for (left = DVC_INFINITY, round = 0; round < DVCI_BEAR_ROUNDS && left > DVCI_LCP_ZERO; round++)
            left = dvci_bearing_stop(s, body);
        if (!(left <= DVCI_BEAR_SLACK)) return false;
    }
    return true;
}

/* ---- inwards: who bears it ---- */

/* Touches of the body with those before it, or with one of them, that are closed. */
static void dvci_bearing_gather(dvci_bearing *s, int body, int only, bool rubs)
{
    int k;
    for (s->held_count = 0, k = s->first[body]; k < s->first[body + 1]; k++) {
        dvci_touch *t = &s->touches.of[s->list[k] / 2];
        if (!dvci_bearing_is_below(s, body, s->list[k])) continue;
        dvci_fill(3, 0, t->x);
        if (only >= 0 && t->body[1 - s->list[k] % 2] != only) continue;
        if (!(dvci_bearing_see(s, t, 0) <= DVCI_BEAR_SLACK)) continue;
        s->held[s->held_count] = s->list[k];
        dvci_bearing_stiffen(s, s->held_count++, rubs ? 1 : 0);
    }
}

/* What the momentum `left` would still do: to the body, and to what the held touches see of it. */
static dvc_real dvci_bearing_left(const dvci_bearing *s, const dvci_twist *gain)
{
    dvc_real most = dvci_norm(gain->v);
    int i, lane;
    for (i = 0; i < s->held_count; i++) {
        const dvci_touch *t = &s->touches.of[s->held[i] / 2];
        for (lane = 0; lane < t->lanes; lane++) {
            dvci_twist f = dvci_touch_force(t, s->held[i] % 2, lane);
            most = dvci_max(most, dvci_abs(dvci_twist_dot(&f, gain)));
        }
    }
    return most;
}

/* The least impulses of the held touches that give the body what it is owed. False: none do. */
static bool dvci_bearing_share(dvci_bearing *s, int body)
{
    dvci_twist left = s->owed[body], gain = dvci_matter_gain(&s->touches.matter[body], left);
    dvc_real size = dvci_bearing_left(s, &gain), most = size, last = DVC_INFINITY;
    int i, lane, round;
    if (!dvci_bearing_factor(s, body, false)) return false;
    for (i = 0; i < s->held_count; i++) dvci_fill(3, 0, s->touches.of[s->held[i] / 2].x);
    for (round = 0; round < DVCI_BEAR_ROUNDS && most > DVCI_LCP_ROUND * size && most < last / 2; round++) {
        last = most;
        gain = dvci_bearing_solve(s, gain);
        for (i = 0; i < s->held_count; i++) {
            dvci_touch *t = &s->touches.of[s->held[i] / 2];
            for (lane = 0; lane < t->lanes; lane++) {
                dvci_twist f = dvci_touch_force(t, s->held[i] % 2, lane);
                dvc_real more = s->stiff[2 * i + (lane > 0)] * dvci_twist_dot(&f, &gain);
                t->x[lane] += more;
                left = dvci_twist_madd(left, &f, -more);
            }
        }
        gain = dvci_matter_gain(&s->touches.matter[body], left);
        most = dvci_bearing_left(s, &gain);
    }
    return most <= 100 * DVCI_LCP_ROUND * size;
}

static dvc_real dvci_bearing_largest(const dvci_bearing *s)
{
    dvc_real largest = 0;
    int i;
    for (i = 0; i < s->held_count; i++) largest = dvci_max(largest, s->touches.of[s->held[i] / 2].x[0]);
    return largest;
}

/* Touches that would have to pull let go; returns how many. */
static int dvci_bearing_let_go(dvci_bearing *s)
{
    dvc_real least = -100 * DVCI_LCP_ROUND * dvci_bearing_largest(s);
    int i, count = s->held_count, kept = 0;
    for (i = 0; i < count; i++) {
        dvci_touch *t = &s->touches.of[s->held[i] / 2];
        if (t->x[0] < least) {
            dvci_fill(3, 0, t->x);
            continue;
        }
        t->x[0] = dvci_max(t->x[0], 0);
        s->held[kept] = s->held[i];
        s->stiff[2 * kept] = s->stiff[2 * i];
        s->stiff[2 * kept++ + 1] = s->stiff[2 * i + 1];
    }
    s->held_count = kept;
    return count - kept;
}

/* Is all friction within its bounds? */
static bool dvci_bearing_sticks(const dvci_bearing *s)
{
    dvc_real slack = DVCI_LCP_ZERO * dvci_bearing_largest(s), nearest[2];
    int i;
    for (i = 0; i < s->held_count; i++) {
        const dvci_touch *t = &s->touches.of[s->held[i] / 2];
        if (t->lanes == 1) continue;
        dvci_touch_clamp(t, t->x[0], t->x + 1, nearest);
        if (dvci_abs(nearest[0] - t->x[1]) > slack || dvci_abs(nearest[1] - t->x[2]) > slack) return false;
    }
    return true;
}

/* Friction is shared as normal impulses are. */
static void dvci_bearing_rub_as_pressed(dvci_bearing *s)
{
    dvc_real largest = dvci_bearing_largest(s);
    int i;
    for (i = 0; i < s->held_count; i++)
        dvci_bearing_stiffen(s, i, largest > 0 ? s->touches.of[s->held[i] / 2].x[0] / largest : 0);
}

/* Can those before the body, or one of them, bear it? */
static bool dvci_bearing_try(dvci_bearing *s, int body, int only, bool rubs)
{
    bool as_pressed = !rubs;
    dvci_bearing_gather(s, body, only, rubs);
    while (s->held_count > 0 && dvci_bearing_share(s, body)) {
        if (dvci_bearing_let_go(s) > 0) continue;
        if (dvci_bearing_sticks(s)) return true;
        if (as_pressed) return false;
        dvci_bearing_rub_as_pressed(s);
        as_pressed = true;
    }
    return false;
}

/* One of those before the body alone, or all; without friction, if they can. */
static bool dvci_bearing_choose(dvci_bearing *s, int body)
{
    int rubs, k;
    for (rubs = 0; rubs < 2; rubs++) {
        int last = -1, others = 0;
        for (k = s->first[body]; k < s->first[body + 1]; k++) {
            int other = s->touches.of[s->list[k] / 2].body[1 - s->list[k] % 2];
            if (other == last || !dvci_bearing_is_below(s, body, s->list[k])) continue;
            if (dvci_bearing_try(s, body, other, rubs > 0)) return true;
            last = other;
            others++;
        }
        if (others > 1 && dvci_bearing_try(s, body, -1, rubs > 0)) return true;
    }
    return false;
}

/* What the body is owed comes from those before it, which are owed as much. False: they cannot. */
static bool dvci_bearing_pass_on(dvci_bearing *s, int body)
{
    int i, lane;
    if (dvci_zero_vec(s->owed[body].v) && dvci_zero_vec(s->owed[body].w)) return true;
    if (!dvci_bearing_choose(s, body)) return false;
    for (i = 0; i < s->held_count; i++) {
        const dvci_touch *t = &s->touches.of[s->held[i] / 2];
        int side = 1 - s->held[i] % 2;
        for (lane = 0; lane < t->lanes; lane++) {
            dvci_twist f = dvci_touch_force(t, side, lane);
            s->owed[t->body[side]] = dvci_twist_madd(s->owed[t->body[side]], &f, -t->x[lane]);
        }
    }
    return true;
}

/* Outwards and back. */
static bool dvci_bearing_run(dvci_bearing *s)
{
    int bodies = s->touches.bodies, k;
    if (!dvci_bearing_list(s) || !dvci_bearing_order(s)) return false;
    memset(s->touches.nu, 0, (size_t)bodies * sizeof *s->touches.nu);
    memset(s->owed, 0, (size_t)bodies * sizeof *s->owed);
    for (k = 1; k < bodies; k++)
        if (!dvci_bearing_settle(s, s->queue[k])) return false;
    for (k = bodies - 1; k > 0; k--)
        if (!dvci_bearing_pass_on(s, s->queue[k])) return false;
    return true;
}

/* Solves the problem by handing loads down; z is what it was if that does not solve it. */
static dvc_status dvci_solve_bearing(dvci_task *task)
{
    size_t mark = task->arena->used, n = (size_t)task->p->n;
    dvc_status status = DVC_ERROR_LCP_NOT_SOLVED;
    dvc_real *keep = dvci_alloc_reals(task->arena, n);
    dvci_bearing s;
    int i;
    if (!dvci_touches_make(task->p, &s.touches, task->arena) || !dvci_bearing_carve(&s, task->arena)) return DVC_ERROR_SCRATCH;
    task->iterations++;
    if (dvci_bearing_run(&s)) {
        memcpy(keep, task->z, n * sizeof *keep);
        for (i = 0; i < s.touches.count; i++) dvci_touch_write(task->p, &s.touches.of[i], task->z);
        if (dvci_mcp_residual(task) <= dvci_min(task->tolerance, 10 * DVCI_LCP_ZERO)) status = DVC_OK;
        else memcpy(task->z, keep, n * sizeof *keep);
    }
    task->arena->used = mark;
    return status;
}

/* ---- active set: semismooth Newton on min(z, w), with exact linear solves ---- */

typedef struct dvci_active {
    dvci_profile factor;
    dvci_blocks blocks;
    dvc_real share;   /* compliance of the blocks */
    bool bulky;       /* too many rows for another factor than blocks */
    bool planned;     /* blocks know their order */
    bool by_blocks;   /* the factor is in `blocks` */
    dvc_real *stiff;  /* (n) then: of active rows 1 / D, by places */
    int *set;         /* (n) rows between their bounds */
    int *place;       /* (n) where they are in `set`, -1: not there */
    dvc_real *right;  /* (n) */
    dvc_real *fold;   /* (n), or one row of a product */
    bool shares;      /* rows depend on each other: they share their load, */
    bool drops;       /* or, where that is ill-conditioned, all is left to the first of them */
} dvci_active;

static void dvci_active_carve(dvci_active *s, int n, dvci_arena *arena)
{
    size_t count = (size_t)n;
    dvc_real *reals = dvci_alloc_reals(arena, 5 * count + 12);
    int *ints = dvci_alloc_ints(arena, 3 * count);
    s->factor.n = n;
    s->factor.at = (size_t *)dvci_alloc(arena, count, sizeof *s->factor.at);
    s->planned = s->by_blocks = false;
    if (!reals || !ints) return;
    s->factor.pivot = dvci_cut_reals(&reals, count);
    s->factor.inverse = dvci_cut_reals(&reals, count);
    s->right = dvci_cut_reals(&reals, count);
    s->stiff = dvci_cut_reals(&reals, count);
    s->fold = reals;
    s->factor.start = dvci_cut_ints(&ints, count);
    s->set = dvci_cut_ints(&ints, count);
    s->place = ints;
}

static inline bool dvci_has_links(const dvci_mcp *p, int k) { return k + 1 < p->n && p->owner[k + 1] == k; }

/* The column of row k's unknown with everything that moves along with it: linked rows at a bound follow their owner. */
static const dvc_real *dvci_folded_column(const dvci_mcp *p, const signed char *mode, int k, dvc_real *fold)
{
    int i;
    if (!dvci_has_links(p, k)) return dvci_mcp_column(p, k);
    memcpy(fold, dvci_mcp_column(p, k), (size_t)p->n * sizeof *fold);
    for (i = k + 1; i < p->n && p->owner[i] == k; i++)
        if (mode[i] != 0) dvci_axpy(p->n, (dvc_real)mode[i] * p->upper[i], dvci_mcp_column(p, i), fold);
    return fold;
}

/* The same of a product: both sides' parts. Links act on the same bodies as their owner. */
static const dvc_real *dvci_folded_product(const dvci_mcp *p, const signed char *mode, int k, dvc_real *fold)
{
    const dvci_product *q = p->product;
    size_t size = 2 * (size_t)q->width;
    int i;
    if (!dvci_has_links(p, k)) return q->column + (size_t)k * size;
    memcpy(fold, q->column + (size_t)k * size, size * sizeof *fold);
    for (i = k + 1; i < p->n && p->owner[i] == k; i++)
        if (mode[i] != 0) dvci_axpy((int)size, (dvc_real)mode[i] * p->upper[i], q->column + (size_t)i * size, fold);
    return fold;
}

static bool dvci_row_is_active(const dvci_mcp *p, const signed char *mode, int i)
{
    return mode[i] == 0 && (p->owner[i] < 0 || mode[p->owner[i]] == 0);
}

/* Of an owner's linked rows that stick, two say all: they lie in one plane. The first, and the one most nearly perpendicular
 * to it (segments are evenly spread over half a turn). Returns how many, 0 to 2. */
static int dvci_sticking_rows(const dvci_mcp *p, const signed char *mode, int owner, int pair[2])
{
    int i, end, count = 0, best = 0;
    for (end = owner + 1; end < p->n && p->owner[end] == owner; end++) {}
    for (i = owner + 1; i < end; i++) {
        int off = 0;
        if (mode[i] != 0) continue;
        if (count > 0) off = 2 * (i - pair[0]) - (end - owner - 1);
        off = off < 0 ? -off : off;
        if (count < 2 || off < best) {
            pair[count < 2 ? count : 1] = i;
            best = off;
            count = dvci_imin(count + 1, 2);
        }
    }
    return count;
}

/* Rows whose w is to be zero: plain ones between their bounds, and those that stick, all or enough of them. Returns how many. */
static int dvci_active_rows(const dvci_mcp *p, const signed char *mode, bool all, int *set)
{
    int r, k, count, n = 0, pair[2] = { 0, 0 };
    for (r = 0; all && r < p->n; r++)
        if (dvci_row_is_active(p, mode, r)) set[n++] = r;
    for (r = 0; !all && r < p->n; r++) {
        if (p->owner[r] >= 0 || mode[r] != 0) continue;
        set[n++] = r;
        if (!dvci_has_links(p, r)) continue;
        count = dvci_sticking_rows(p, mode, r, pair);
        for (k = 0; k < count; k++) set[n++] = pair[k];
    }
    return n;
}

/* Places of the active rows, and the first column of each row of the factor: the first active row that shares a body. */
static void dvci_active_starts(const dvci_mcp *p, dvci_active *s)
{
    const dvci_product *q = p->product;
    int c, body, i, first;
    for (i = 0; i < p->n; i++) s->place[i] = -1;
    for (c = 0; c < s->factor.n; c++) s->place[s->set[c]] = s->factor.start[c] = c;
    for (body = 0; body < q->bodies; body++)
        for (first = -1, i = q->list_first[body]; i < q->list_first[body + 1]; i++) { /* lists ascend */
            c = s->place[q->list[i] / 2];
            if (c < 0) continue;
            if (first < 0) first = c;
            s->factor.start[c] = dvci_imin(s->factor.start[c], first);
        }
}

/* Entry (r, c) of the active matrix gets `value` more; `scale` makes a symmetric one so. */
static void dvci_active_add(dvci_profile *f, int r, int c, dvc_real value)
{
    if (r == c) f->pivot[r] += value;
    else if (r > c) f->lower[f->at[r] + (size_t)(c - f->start[r])] += value;
    else if (!f->symmetric) f->upper[f->at[c] + (size_t)(r - f->start[c])] += value;
}

static bool dvci_active_assemble_product(const dvci_task *task, dvci_active *s)
{
    const dvci_mcp *p = task->p;
    const dvci_product *q = p->product;
    dvci_profile *f = &s->factor;
    int c, i, side;
    dvci_active_starts(p, s);
    if (!dvci_profile_room(f, task->arena)) return false;
    memset(f->lower, 0, f->size * sizeof *f->lower);
    memset(f->upper, 0, f->size * sizeof *f->upper);
    dvci_fill(f->n, 0, f->pivot);
    for (c = 0; c < f->n; c++) {
        int k = s->set[c];
        const dvc_real *column = dvci_folded_product(p, task->mode, k, s->fold);
        dvc_real scale = f->symmetric ? 1 / p->unit[k] : 1;
        f->pivot[c] += q->extra[k] * scale;
        for (side = 0; side < 2; side++) {
            int body = q->body[2 * k + side];
            for (i = body < 0 ? 0 : q->list_first[body]; body >= 0 && i < q->list_first[body + 1]; i++) {
                int r = s->place[q->list[i] / 2];
                if (r < 0 || (f->symmetric && r < c)) continue;
                dvci_active_add(f, r, c, scale * dvci_row_dot(q->width, q->row + (size_t)q->list[i] * (size_t)q->width,
                                                              column + side * q->width));
            }
        }
    }
    return true;
}

static bool dvci_active_assemble_columns(const dvci_task *task, dvci_active *s)
{
    const dvci_mcp *p = task->p;
    dvci_profile *f = &s->factor;
    int r, c;
    for (c = 0; c < f->n; c++) f->start[c] = 0;
    if (!dvci_profile_room(f, task->arena)) return false;
    for (c = 0; c < f->n; c++) {
        int k = s->set[c];
        const dvc_real *column = f->symmetric ? dvci_mcp_column(p, k) : dvci_folded_column(p, task->mode, k, s->fold);
        dvc_real scale = f->symmetric ? 1 / p->unit[k] : 1;
        for (r = 0; !f->symmetric && r < c; r++) f->upper[f->at[c] + (size_t)r] = column[s->set[r]];
        f->pivot[c] = column[k] * scale;
        for (r = c + 1; r < f->n; r++) f->lower[f->at[r] + (size_t)c] = column[s->set[r]] * scale;
    }
    return true;
}

/* Zeros at the left end do not belong to the profile. */
static void dvci_active_trim(dvci_profile *f)
{
    int r, c;
    for (r = 0; r < f->n; r++) {
        const dvc_real *low = f->lower + f->at[r], *up = f->upper + f->at[r];
        for (c = 0; c < r - f->start[r] && low[c] == 0 && up[c] == 0; c++) {}
        f->start[r] += c;
        f->at[r] += (size_t)c;
    }
}

/* In the symmetric case only the lower triangle, in units that make it symmetric. */
static bool dvci_active_assemble(const dvci_task *task, dvci_active *s)
{
    dvci_profile *f = &s->factor;
    f->n = dvci_active_rows(task->p, task->mode, false, s->set);
    if (!(task->p->product ? dvci_active_assemble_product(task, s) : dvci_active_assemble_columns(task, s))) return false;
    dvci_active_trim(f);
    return true;
}

/* z of the rows at a bound. */
static void dvci_place_bounded(const dvci_task *task)
{
    const dvci_mcp *p = task->p;
    dvc_real low, high;
    int i;
    for (i = 0; i < p->n; i++) {
        if (dvci_row_is_active(p, task->mode, i)) continue;
        dvci_mcp_bounds(p, task->z, i, &low, &high);
        task->z[i] = task->mode[i] > 0 ? high : low;
        if (p->owner[i] >= 0 && task->mode[p->owner[i]] != 0) task->z[i] = 0;
    }
}

/* If all segments of row i's pyramid stick, and their number is even: how many there are; else 0. They are evenly spread, so that
 * two that are perpendicular, each counted half as often as there are segments, are worth all. */
static int dvci_even_segments(const dvci_mcp *p, const signed char *mode, int i)
{
    int k, owner = p->owner[i];
    if (owner < 0) return 0;
    for (k = owner + 1; k < p->n && p->owner[k] == owner; k++)
        if (mode[k] != 0) return 0;
    k -= owner + 1;
    return k % 2 == 0 ? k : 0;
}

/* The blocks of the active rows, each with the compliance by which they share; segments of a pyramid have one for all. False:
 * they have no factor. */
static bool dvci_active_factor_blocks(const dvci_task *task, dvci_active *s)
{
    const dvci_mcp *p = task->p;
    const dvci_product *q = p->product;
    size_t size = 2 * (size_t)q->width;
    int c, even = 0;
    s->factor.n = dvci_active_rows(p, task->mode, true, s->set);
    dvci_blocks_clear(&s->blocks);
    for (c = 0; c < s->factor.n; c++) {
        int k = s->set[c], off = p->owner[k] < 0 ? 0 : k - p->owner[k] - 1;
        dvc_real weight;
        const dvc_real *column = dvci_folded_product(p, task->mode, k, s->fold), *row = q->row + (size_t)k * size;
        s->factor.pivot[c] = 1;
        if (off == 0) even = dvci_even_segments(p, task->mode, k);
        if (off == 0 || p->owner[s->set[c - 1]] != p->owner[k]) {
            dvc_real own = dvci_row_dot(q->width, row, column) + dvci_row_dot(q->width, row + q->width, column + q->width);
            s->stiff[c] = 1 / (q->extra[k] + s->share * (dvci_abs(own) + q->extra[k]));
        } else {
            s->stiff[c] = s->stiff[c - 1] * (p->unit[s->set[c - 1]] / p->unit[k]);
        }
        if (off > 0 && even > 0 && off != even / 2) continue;
        weight = even > 0 && p->owner[k] >= 0 ? (dvc_real)(even / 2) : 1;
        dvci_blocks_add(&s->blocks, q->body + 2 * k, s->stiff[c] * weight, column, row);
    }
    return dvci_blocks_factor(&s->blocks);
}

/* `right` becomes (R Q + D)^-1 times it. */
static void dvci_active_solve_blocks(const dvci_task *task, dvci_active *s)
{
    const dvci_product *q = task->p->product;
    dvci_blocks *f = &s->blocks;
    int w = q->width, c, side;
    dvci_fill(f->bodies * w, 0, f->nu);
    for (c = 0; c < s->factor.n; c++) {
        int k = s->set[c];
        const dvc_real *column = dvci_folded_product(task->p, task->mode, k, s->fold);
        for (side = 0; side < 2; side++)
            if (q->body[2 * k + side] >= 0)
                dvci_axpy(w, s->stiff[c] * s->right[c], column + side * w, f->nu + w * f->rank[q->body[2 * k + side]]);
    }
    dvci_blocks_solve(f, f->nu);
    for (c = 0; c < s->factor.n; c++) {
        int k = s->set[c];
        for (side = 0; side < 2; side++)
            if (q->body[2 * k + side] >= 0)
                s->right[c] -= dvci_row_dot(w, q->row + (size_t)(2 * k + side) * (size_t)w,
                                            f->nu + w * f->rank[q->body[2 * k + side]]);
        s->right[c] *= s->stiff[c];
    }
}

/* One Newton correction of the active rows: w = 0 there, the others follow. */
static void dvci_active_correct(dvci_task *task, dvci_active *s)
{
    bool scaled = s->factor.symmetric && !s->by_blocks;
    int c;
    for (c = 0; c < s->factor.n; c++) s->right[c] = -task->w[s->set[c]];
    if (s->by_blocks) dvci_active_solve_blocks(task, s);
    else dvci_profile_solve(&s->factor, s->right);
    for (c = 0; c < s->factor.n; c++) task->z[s->set[c]] += scaled ? s->right[c] / task->p->unit[s->set[c]] : s->right[c];
    if (!task->p->symmetric) dvci_place_bounded(task); /* links move with their owners */
    dvci_mcp_apply(task->p, task->z, task->w);
}

/* The factor of the active rows. Where some depend on others (the fourth leg of a table, a second hinge on a door) the load is
 * shared: of all solutions the least one, found by a small compliance that the corrections then take back. Where they cannot
 * (heavy on light), dependent rows are left out. */
static bool dvci_active_factor(dvci_task *task, dvci_active *s)
{
    size_t mark = task->arena->used;
    int i;
    s->by_blocks = s->planned && s->shares && dvci_active_factor_blocks(task, s);
    if (s->by_blocks) return true;
    if (s->bulky) {
        s->factor.n = 0;
        return true;
    }
    if (!dvci_active_assemble(task, s)) return false;
    if (!s->shares) {
        bool dependent = dvci_profile_factor(&s->factor);
        task->dependent = task->dependent || dependent;
        s->shares = !s->drops && dependent;
        if (!s->shares) return true;
        task->arena->used = mark;
        if (!dvci_active_assemble(task, s)) return false;
    }
    for (i = 0; i < s->factor.n; i++) s->factor.pivot[i] += DVCI_LCP_SHARE * s->factor.pivot[i];
    dvci_profile_factor(&s->factor);
    return true;
}

/* Largest w of a row that is to be 0. */
static dvc_real dvci_active_error(const dvci_task *task, const dvci_active *s)
{
    dvc_real worst = 0;
    int c;
    for (c = 0; c < s->factor.n; c++) worst = dvci_max(worst, dvci_abs(task->w[s->set[c]]));
    return worst;
}

/* z of the given modes: corrections until the compliance is taken back. False: it is not. */
static bool dvci_active_settle(dvci_task *task, dvci_active *s)
{
    dvc_real error = DVC_INFINITY, last;
    int k;
    if (!task->from_z) dvci_fill(task->p->n, 0, task->z);
    dvci_place_bounded(task);
    dvci_mcp_apply(task->p, task->z, task->w);
    dvci_active_correct(task, s);
    if (task->from_z && s->by_blocks) return dvci_active_error(task, s) <= dvci_max(DVCI_LCP_ZERO, task->tolerance / 4);
    for (k = 0; s->shares && k < DVCI_SHARE_ROUNDS; k++) {
        last = error;
        error = dvci_active_error(task, s);
        if (error <= DVCI_LCP_ZERO || !(error < last / 2)) return error <= 10 * DVCI_LCP_ZERO;
        dvci_active_correct(task, s);
    }
    return !s->shares;
}

/* The mode that row i should have, given z and w; `slack` forgives rounding. */
static signed char dvci_wanted_mode(const dvci_mcp *p, const dvci_task *task, int i, dvc_real slack)
{
    dvc_real low, high, z = task->z[i], w = task->w[i];
    signed char mode = task->mode[i];
    dvci_mcp_bounds(p, task->z, i, &low, &high);
    if (mode < 0) return (signed char)(w < -slack ? 0 : -1);
    if (mode > 0) return (signed char)(w > slack ? 0 : 1);
    return (signed char)(z < low - slack ? -1 : z > high + slack ? 1 : 0);
}

static dvc_real dvci_largest_z(const dvci_task *task)
{
    dvc_real largest = 0;
    int i;
    for (i = 0; i < task->p->n; i++) largest = dvci_max(largest, dvci_abs(task->z[i]));
    return largest;
}

static dvc_real dvci_sign_slack(const dvci_task *task, const dvci_active *s)
{
    dvc_real largest = dvci_largest_z(task);
    dvc_real slack = DVCI_LCP_ZERO + (s->shares ? DVCI_LCP_ROUND / DVCI_LCP_SHARE : DVCI_LCP_ROUND) * largest;
    if (task->from_z) return dvci_min(slack, task->tolerance / 2); /* what is forgiven near a start must pass, */
    return dvci_min(slack, dvci_max(task->tolerance / 50, 1000 * DVCI_LCP_ROUND * largest)); /* and else be nearly rounding */
}

/* A contact that closes starts with the friction that its slip w asks for; no slip: sticking. */
static void dvci_open_links(const dvci_task *task, int owner, dvc_real slack)
{
    const dvci_mcp *p = task->p;
    int i;
    for (i = owner + 1; i < p->n && p->owner[i] == owner; i++)
        task->mode[i] = (signed char)(task->w[i] > slack ? -1 : task->w[i] < -slack ? 1 : 0);
}

/* Rows that were left out as dependent stay at z = 0; one that is apart although nothing pushes it goes to its bound. */
static void dvci_active_release(dvci_task *task, dvci_active *s, dvc_real slack, int *changes)
{
    int c;
    for (c = 0; c < s->factor.n; c++) {
        int i = s->set[c];
        if (s->factor.pivot[c] != 0 || task->p->owner[i] >= 0 || task->mode[i] != 0) continue;
        if (task->w[i] > 100 * slack && task->p->lower[i] == 0) {
            task->mode[i] = -1;
            ++*changes;
        }
    }
}

/* Gives rows the modes they should have, the first `most` of them; returns how many should change. */
static int dvci_active_update(dvci_task *task, dvci_active *s, int most)
{
    const dvci_mcp *p = task->p;
    dvc_real slack = dvci_sign_slack(task, s);
    int i, changes = 0;
    for (i = 0; i < p->n; i++) {
        signed char wanted;
        if (p->owner[i] >= 0 && task->mode[p->owner[i]] != 0) continue; /* friction of an open contact */
        wanted = dvci_wanted_mode(p, task, i, slack);
        if (wanted == task->mode[i] || changes++ >= most) continue;
        task->mode[i] = wanted;
        if (wanted == 0 && p->owner[i] < 0) dvci_open_links(task, i, slack);
    }
    if (most > 1 && task->dependent) dvci_active_release(task, s, slack, &changes);
    return changes;
}

/* How the rounds go: rows that go to and fro change one at a time from then on; where most change again and again, the guess
 * was no good. */
typedef struct dvci_active_course { int round, fewest, idle, wild, most; dvc_real least; } dvci_active_course;

static bool dvci_active_goes_on(dvci_active_course *c, const dvci_active *s, int changes)
{
    c->idle = changes < c->fewest ? 0 : c->idle + 1;
    c->fewest = dvci_imin(c->fewest, changes);
    c->wild += changes > 20 && 2 * changes > s->factor.n;
    if (c->idle >= 3) c->most = 1;
    return c->wild < 3;
}

static dvc_real dvci_near_share(dvc_real error)
{
    return dvci_clamp(DVCI_NEAR_SHARE * dvci_sqrt(error), DVCI_LCP_SHARE, 2 * DVCI_NEAR_SHARE);
}

/* Near a start z is held there by the compliance: the less is left, the less of it, which is fast where it ends (Levenberg and
 * Marquardt's method), and holds where rows change by the hundreds. After some rounds it goes on only if few rows change and
 * what is left falls. */
static bool dvci_active_holds(dvci_active_course *c, const dvci_task *task, dvci_active *s, int changes)
{
    dvc_real error = dvci_active_error(task, s);
    if (s->by_blocks && changes > 0) s->share = dvci_near_share(error);
    c->idle = error < DVCI_R(0.9) * c->least ? 0 : c->idle + 1;
    c->least = dvci_min(c->least, error);
    c->most = c->idle < 4 ? task->p->n + 1 : dvci_imax(1, changes / 2); /* else they go to and fro */
    c->wild += changes > 20 && 2 * changes > s->factor.n;
    if (c->wild >= 3 || dvci_time_is_up(&task->watch)) return false;
    return ++c->round < DVCI_NEAR_ROUNDS || (c->idle < DVCI_NEAR_IDLE && 16 * changes < s->factor.n);
}

static bool dvci_active_begin(dvci_task *task, dvci_active *s)
{
    dvci_active_carve(s, task->p->n, task->arena);
    if (task->arena->failed) return false;
    s->factor.symmetric = task->p->symmetric;
    s->bulky = task->p->product && task->p->n > DVCI_PIVOT_ROWS;
    s->shares = task->dependent || s->bulky;
    s->drops = !task->p->product && !s->shares; /* of a problem with no bodies behind it any solution will do */
    s->share = task->from_z ? dvci_near_share(dvci_min(task->residual, 1)) : DVCI_LCP_SHARE;
    s->planned = task->p->product && s->shares;
    return !s->planned || dvci_blocks_plan(&s->blocks, task->p, task->arena);
}

/* Modes that are right cannot be told from load that is not: with less compliance, or without sharing. False: neither. */
static bool dvci_active_insist(dvci_active *s)
{
    if (s->by_blocks && s->share > DVCI_LCP_SHARE * DVCI_R(1e-5)) {
        s->share *= DVCI_R(0.03);
        return true;
    }
    s->shares = s->bulky;
    s->drops = true; /* once */
    return !s->bulky;
}

/* What is left to refine is no more than the rounding of w itself. */
static bool dvci_active_is_exact(const dvci_task *task, const dvci_active *s)
{
    return task->rounds && dvci_active_error(task, s) <= DVCI_LCP_ROUND * (1 + dvci_largest_z(task));
}

/* The residual of z within its bounds; w is that of z. */
static dvc_real dvci_active_judge(dvci_task *task)
{
    if (dvci_mcp_project(task->p, task->z)) return dvci_mcp_residual(task);
    return task->residual = dvci_mcp_gap(task->p, task->z, task->w);
}

/* Solves by guessing modes: from the task's modes if warm, else from the signs after a few sweeps. Finite in practice, no
 * promise; what it accepts passed the residual. */
static dvc_status dvci_solve_active_set(dvci_task *task, int limit)
{
    size_t mark = task->arena->used, rows;
    dvc_status status = DVC_ERROR_LCP_LIMIT;
    dvci_active_course course;
    dvci_active s;
    int k, changes;
    course.fewest = course.most = task->p->n + 1;
    course.round = course.idle = course.wild = 0;
    course.least = DVC_INFINITY;
    if (!dvci_active_begin(task, &s)) return DVC_ERROR_SCRATCH;
    rows = task->arena->used;
    for (k = 0; k < limit; k++) {
        task->arena->used = rows;
        if (!dvci_active_factor(task, &s)) return DVC_ERROR_SCRATCH;
        task->iterations++;
        if (!dvci_active_settle(task, &s)) { /* contradictory modes show in the load, ill-conditioned ones do not */
            changes = dvci_active_update(task, &s, course.most);
            if (changes == 0 && !dvci_active_insist(&s)) break;
            k -= changes == 0;
        } else {
            changes = dvci_active_update(task, &s, course.most);
            if (changes == 0 && !dvci_active_is_exact(task, &s)) { /* refinement */
                dvci_active_correct(task, &s);
                changes = dvci_active_update(task, &s, course.most);
            }
            if (changes == 0) {
                status = dvci_active_judge(task) <= task->tolerance ? DVC_OK : DVC_ERROR_LCP_NOT_SOLVED;
                break;
            }
        }
        if (!(task->from_z ? dvci_active_holds(&course, task, &s, changes) : dvci_active_goes_on(&course, &s, changes))) break;
    }
    task->arena->used = mark;
    return status;
}

/* ---- pivoting: Lemke's path with bounds and linked friction ----
 *
 * Each unknown is written as its distance y_i >= 0 from the bound it sits on or left last (its *side*, -1 or +1):
 *
 *     plain   z_i = bound_side - side y_i          0 <= y_i <= upper - lower
 *     linked  z_i = side f z_k - side y_i          0 <= y_i <= 2 f z_k
 *
 * and s_i = -side w_i >= 0 is its slack. A covering vector c is added, w = A z + b + c t; for large t everything sits on
 * its bounds. The path follows t down to 0 through bases in which, of each pair (y_i, s_i), at most one is basic, but
 * for one pair that has none: there one of the two enters, and whatever leaves tells which enters next: its complement.
 * The linked form changes nothing in this: a linked row whose owner is out (open contact) takes no part; when its owner
 * enters, its side is set against the slip.
 *
 * The basis is kept as the inverse X of its *core* only: the rows whose slack is out, against the columns that are in
 * (t is column n). Four kinds of exchange follow:
 *
 *     column in, row in (X grows)     column for column     row for row     row out, column out (X shrinks)
 *
 * Ties decide whether this works on contact problems, where whole faces touch at once: ratios within DVCI_LCP_TIE are tied
 * (a Harris test, which may go wrong by that much and is mended at the end), pivots below 1 % of the largest tied one are
 * passed over, and of the rest the lexicographically smallest leaves, as if b_i carried an infinitesimal of its own.
 */
typedef enum dvci_stop_kind {
    DVCI_STOP_NONE,
    DVCI_STOP_BOUND, /* an unknown reaches its bound */
    DVCI_STOP_RANGE, /* an unknown reaches its other bound */
    DVCI_STOP_SLACK, /* a slack reaches zero */
    DVCI_STOP_OWN    /* the entering unknown reaches its other bound */
} dvci_stop_kind;

/* What stops the path. */
typedef struct dvci_stop {
    dvci_stop_kind kind;
    int index;
    dvc_real value, rate; /* value >= 0 falls at rate < 0 */
} dvci_stop;

typedef struct dvci_pivots {
    const dvci_mcp *p;
    int m, ld;
    int *rows, *cols;       /* (m) rows whose slack is out, unknowns that are in */
    int *row_at, *col_at;   /* (n), (n + 1) their places, or -1 */
    signed char *side;      /* (n) */
    signed char *sign;      /* (n) direction of the row's infinitesimal */
    dvc_real *X;            /* (ld x ld) by rows: rows by cols[], columns by rows[] */
    dvc_real *cover;        /* (n) what t adds to w */
    dvc_real *base;         /* (n) w with every unknown on its bound and t = 0 */
    dvc_real *y, *w;        /* (n + 1), (n) */
    dvc_real *dy, *dw;      /* (n + 1), (n) along the path */
    dvc_real *u, *v;        /* (ld) */
    dvc_real *best, *rival; /* (n) lexicographic rows */
    dvc_real *fold;         /* (n x number of owners) */
    dvci_stop *stops;       /* (3 n + 2) what could stop the path */
    int *fold_at;           /* (n) place of an owner's folded column, -1: not an owner */
    int entering;           /* index of the pair whose member enters */
    bool slack_enters;      /* which of the two */
} dvci_pivots;

static int dvci_owner_count(const dvci_mcp *p)
{
    int i, count = 0;
    for (i = 1; i < p->n; i++) count += p->owner[i] == i - 1;
    return count;
}

static void dvci_pivots_carve(dvci_pivots *s, int n, int owners, dvci_arena *arena)
{
    size_t count = (size_t)n + 1;
    int *ints = dvci_alloc_ints(arena, 5 * count);
    dvc_real *reals = dvci_alloc_reals(arena, dvci_times(10 + count + (size_t)owners, count));
    s->m = 0;
    s->ld = n + 1;
    s->side = dvci_alloc_modes(arena, 2 * count);
    s->stops = (dvci_stop *)dvci_alloc(arena, 3 * count, sizeof(dvci_stop));
    if (!reals || !ints || !s->side) return;
    s->rows = dvci_cut_ints(&ints, count);
    s->cols = dvci_cut_ints(&ints, count);
    s->row_at = dvci_cut_ints(&ints, count);
    s->col_at = dvci_cut_ints(&ints, count);
    s->fold_at = ints;
    s->sign = s->side + count;
    s->X = dvci_cut_reals(&reals, count * count);
    s->fold = dvci_cut_reals(&reals, count * (size_t)owners);
    s->cover = dvci_cut_reals(&reals, count);
    s->base = dvci_cut_reals(&reals, count);
    s->y = dvci_cut_reals(&reals, count);
    s->w = dvci_cut_reals(&reals, count);
    s->dy = dvci_cut_reals(&reals, count);
    s->dw = dvci_cut_reals(&reals, count);
    s->u = dvci_cut_reals(&reals, count);
    s->v = dvci_cut_reals(&reals, count);
    s->best = dvci_cut_reals(&reals, count);
    s->rival = reals;
}

static dvc_real *dvci_core_row(const dvci_pivots *s, int c) { return s->X + (size_t)c * (size_t)s->ld; }

/* The column of unknown j (n: t): w changes by sign * column * y. */
static const dvc_real *dvci_pivot_column(const dvci_pivots *s, int j, dvc_real *sign)
{
    int n = s->p->n;
    *sign = 1;
    if (j == n) return s->cover;
    if (s->fold_at[j] >= 0) return s->fold + (size_t)s->fold_at[j] * (size_t)n;
    *sign = (dvc_real)-s->side[j];
    return dvci_mcp_column(s->p, j);
}

/* Friction of a contact takes part while its normal impulse is in, or entering. */
static bool dvci_row_takes_part(const dvci_pivots *s, int i)
{
    int k = s->p->owner[i];
    return k < 0 || s->col_at[k] >= 0 || (s->entering == k && !s->slack_enters);
}

/* Distance from unknown j's other bound, and its rate; false where there is none. */
static bool dvci_pivot_range(const dvci_pivots *s, int j, dvc_real *value, dvc_real *rate)
{
    int k = s->p->owner[j];
    if (k >= 0) {
        *value = 2 * s->p->upper[j] * s->y[k] - s->y[j];
        *rate = 2 * s->p->upper[j] * s->dy[k] - s->dy[j];
        return true;
    }
    if (dvci_no_bound(s->p->upper[j]) || dvci_no_bound(s->p->lower[j])) return false;
    *value = s->p->upper[j] - s->p->lower[j] - s->y[j];
    *rate = -s->dy[j];
    return true;
}

/* Where the path goes when the entering member grows by 1. */
static void dvci_pivot_direction(dvci_pivots *s)
{
    int n = s->p->n, c, e = s->entering;
    const dvc_real *column;
    dvc_real sign;
    dvci_fill(n + 1, 0, s->dy);
    dvci_fill(n, 0, s->dw);
    if (s->slack_enters) {
        for (c = 0; c < s->m; c++) s->dy[s->cols[c]] = (dvc_real)-s->side[e] * dvci_core_row(s, c)[s->row_at[e]];
    } else {
        column = dvci_pivot_column(s, e, &sign);
        for (c = 0; c < s->m; c++) s->v[c] = sign * column[s->rows[c]];
        for (c = 0; c < s->m; c++) s->dy[s->cols[c]] = -dvci_dot_n(s->m, dvci_core_row(s, c), s->v);
        dvci_axpy(n, sign, column, s->dw);
        s->dy[e] = 1;
    }
    for (c = 0; c < s->m; c++) {
        column = dvci_pivot_column(s, s->cols[c], &sign);
        if (s->dy[s->cols[c]] != 0) dvci_axpy(n, sign * s->dy[s->cols[c]], column, s->dw);
    }
}

static int dvci_note_stop(dvci_pivots *s, int count, dvci_stop_kind kind, int index, dvc_real value, dvc_real rate,
                          dvc_real still)
{
    dvci_stop *stop = s->stops + count;
    if (!(rate < -still)) return count;
    stop->kind = kind;
    stop->index = index;
    stop->value = value;
    stop->rate = rate;
    return count + 1;
}

/* Everything that falls along the direction; returns how many. */
static int dvci_pivot_stops(dvci_pivots *s)
{
    const dvci_mcp *p = s->p;
    int n = p->n, count = 0, c, i;
    dvc_real size = 0, still, value, rate;
    for (c = 0; c < s->m; c++) size = dvci_max(size, dvci_abs(s->dy[s->cols[c]]));
    for (i = 0; i < n; i++) size = dvci_max(size, dvci_abs(s->dw[i]));
    still = DVCI_LCP_PIVOT * size;
    for (c = 0; c < s->m; c++) {
        i = s->cols[c];
        if (i == n || p->owner[i] >= 0 || !dvci_no_bound(s->side[i] < 0 ? p->lower[i] : p->upper[i]))
            count = dvci_note_stop(s, count, DVCI_STOP_BOUND, i, s->y[i], s->dy[i], still);
        if (i < n && dvci_pivot_range(s, i, &value, &rate))
            count = dvci_note_stop(s, count, DVCI_STOP_RANGE, i, value, rate, still);
    }
    for (i = 0; i < n; i++)
        if (s->row_at[i] < 0 && dvci_row_takes_part(s, i))
            count = dvci_note_stop(s, count, DVCI_STOP_SLACK, i, (dvc_real)-s->side[i] * s->w[i],
                                   (dvc_real)-s->side[i] * s->dw[i], still);
    if (!s->slack_enters && dvci_pivot_range(s, s->entering, &value, &rate))
        count = dvci_note_stop(s, count, DVCI_STOP_OWN, s->entering, value, rate, still);
    return count;
}

/* How the stop's value depends on the infinitesimals, per unit of its rate. */
static void dvci_lexicographic_row(const dvci_pivots *s, const dvci_stop *stop, dvc_real *out)
{
    int n = s->p->n, r, c, k;
    dvc_real sign;
    dvci_fill(n, 0, out);
    if (stop->kind == DVCI_STOP_SLACK) {
        dvc_real outer = (dvc_real)-s->side[stop->index];
        for (c = 0; c < s->m; c++) {
            dvc_real entry = dvci_pivot_column(s, s->cols[c], &sign)[stop->index] * sign;
            if (entry == 0) continue;
            for (r = 0; r < s->m; r++) out[s->rows[r]] -= outer * entry * dvci_core_row(s, c)[r];
        }
        out[stop->index] += outer;
    } else {
        dvc_real outer = stop->kind == DVCI_STOP_BOUND ? -1 : 1;
        if (s->col_at[stop->index] >= 0)
            for (r = 0; r < s->m; r++) out[s->rows[r]] += outer * dvci_core_row(s, s->col_at[stop->index])[r];
        k = stop->kind == DVCI_STOP_BOUND || stop->index == n ? -1 : s->p->owner[stop->index];
        if (k >= 0 && s->col_at[k] >= 0)
            for (r = 0; r < s->m; r++) out[s->rows[r]] -= 2 * s->p->upper[stop->index] * dvci_core_row(s, s->col_at[k])[r];
    }
    for (r = 0; r < n; r++) out[r] *= (dvc_real)s->sign[r] / -stop->rate;
}

static bool dvci_lexicographic_less(int n, const dvc_real *a, const dvc_real *b)
{
    int r;
    for (r = 0; r < n; r++)
        if (dvci_abs(a[r] - b[r]) > DVCI_LCP_SAME * (1 + dvci_abs(a[r]))) return a[r] < b[r];
    return false;
}

/* An owner may not leave while its friction is in: of such a tie the friction goes first. */
static bool dvci_must_wait(const dvci_pivots *s, const dvci_stop *stop)
{
    int i;
    if (stop->kind != DVCI_STOP_BOUND || stop->index == s->p->n) return false;
    for (i = stop->index + 1; i < s->p->n && s->p->owner[i] == stop->index; i++)
        if (s->col_at[i] >= 0 || (s->entering == i && !s->slack_enters)) return true;
    return false;
}

/* Keeps, of `count` stops, those that are tied for first and have a safe pivot; returns how many. */
static int dvci_pivot_ties(dvci_pivots *s, int count)
{
    dvc_real limit = DVC_INFINITY, largest = 0, size = 1;
    int i, ties = 0;
    for (i = 0; i < s->m; i++) size = dvci_max(size, dvci_abs(s->y[s->cols[i]])); /* rounding grows with the impulses */
    for (i = 0; i < count; i++) /* how far, if all may go wrong by the tie tolerance */
        limit = dvci_min(limit, (dvci_max(s->stops[i].value, 0) + DVCI_LCP_TIE * size) / -s->stops[i].rate);
    for (i = 0; i < count; i++) {
        if (s->stops[i].value > limit * -s->stops[i].rate || dvci_must_wait(s, &s->stops[i])) continue;
        largest = dvci_max(largest, -s->stops[i].rate);
        s->stops[ties++] = s->stops[i];
    }
    for (i = 0, count = ties, ties = 0; i < count; i++)
        if (-s->stops[i].rate >= largest / 100 || s->stops[i].index == s->p->n) s->stops[ties++] = s->stops[i]; /* n: arrival */
    return ties;
}

/* The ratio test: which of the tied stops comes first. */
static dvci_stop dvci_pivot_ratio(dvci_pivots *s)
{
    int n = s->p->n, ties = dvci_pivot_ties(s, dvci_pivot_stops(s)), chosen = 0, i;
    if (ties == 0) {
        s->stops[0].kind = DVCI_STOP_NONE;
        return s->stops[0];
    }
    for (i = 0; i < ties; i++)
        if (s->stops[i].index == n) return s->stops[i]; /* the path has arrived */
    if (ties > 1) dvci_lexicographic_row(s, &s->stops[0], s->best);
    for (i = 1; i < ties; i++) {
        dvc_real *keep = s->best;
        dvci_lexicographic_row(s, &s->stops[i], s->rival);
        if (!dvci_lexicographic_less(n, s->rival, s->best)) continue;
        s->best = s->rival;
        s->rival = keep;
        chosen = i;
    }
    return s->stops[chosen];
}

/* Moves along the direction until `stop`. Tied values may be a little past zero; the step is never negative. */
static void dvci_pivot_advance(dvci_pivots *s, const dvci_stop *stop)
{
    dvc_real step = dvci_max(stop->value, 0) / -stop->rate;
    int c;
    for (c = 0; c < s->m; c++) s->y[s->cols[c]] += step * s->dy[s->cols[c]];
    if (!s->slack_enters) s->y[s->entering] += step;
    dvci_axpy(s->p->n, step, s->dw, s->w);
    for (c = 0; c < s->m; c++) s->w[s->rows[c]] = 0;
    if (s->slack_enters) s->w[s->entering] = (dvc_real)-s->side[s->entering] * step;
    if (stop->kind == DVCI_STOP_SLACK) s->w[stop->index] = 0;
    else s->y[stop->index] = 0; /* measured from the bound it has reached */
}

/* X loses the rank-one part that belongs to its row c and column r, both scaled to remove themselves. */
static void dvci_core_eliminate(dvci_pivots *s, int c, const dvc_real *factors, dvc_real pivot)
{
    int i;
    dvc_real *row = dvci_core_row(s, c);
    for (i = 0; i < s->m; i++) row[i] /= pivot;
    for (i = 0; i < s->m; i++)
        if (i != c && factors[i] != 0) dvci_axpy(s->m, -factors[i], row, dvci_core_row(s, i));
}

/* Row of the core for slack l over the columns that are in, times X: v. */
static void dvci_core_row_times(dvci_pivots *s, int l, dvc_real *v)
{
    int c;
    dvc_real sign;
    dvci_fill(s->m, 0, v);
    for (c = 0; c < s->m; c++) {
        dvc_real entry = dvci_pivot_column(s, s->cols[c], &sign)[l] * sign;
        if (entry != 0) dvci_axpy(s->m, entry, dvci_core_row(s, c), v);
    }
}

static void dvci_set_col(dvci_pivots *s, int place, int j) { s->cols[place] = j; s->col_at[j] = place; }
static void dvci_set_row(dvci_pivots *s, int place, int i) { s->rows[place] = i; s->row_at[i] = place; }

/* Unknown e comes in, slack l goes out: one column and one row more. u = X a and v = g X are already known. */
static void dvci_core_grow(dvci_pivots *s, int e, int l, dvc_real schur)
{
    int i, m = s->m;
    dvc_real *last = dvci_core_row(s, m);
    for (i = 0; i < m; i++) last[i] = -s->v[i] / schur;
    last[m] = 1 / schur;
    for (i = 0; i < m; i++) {
        dvc_real *row = dvci_core_row(s, i);
        dvci_axpy(m, -s->u[i], last, row);
        row[m] = -s->u[i] / schur;
    }
    dvci_set_col(s, m, e);
    dvci_set_row(s, m, l);
    s->m = m + 1;
}

/* Unknown j goes out, the slack of row i comes in: one column and one row less. */
static void dvci_core_shrink(dvci_pivots *s, int i, int j)
{
    int r = s->row_at[i], c = s->col_at[j], q, last = s->m - 1;
    dvc_real *row = dvci_core_row(s, c), pivot = row[r];
    for (q = 0; q < s->m; q++) {
        dvc_real factor = dvci_core_row(s, q)[r] / pivot;
        if (q != c && factor != 0) dvci_axpy(s->m, -factor, row, dvci_core_row(s, q));
    }
    if (c != last) {
        memcpy(row, dvci_core_row(s, last), (size_t)s->m * sizeof *row);
        dvci_set_col(s, c, s->cols[last]);
    }
    if (r != last) {
        for (q = 0; q < last; q++) dvci_core_row(s, q)[r] = dvci_core_row(s, q)[last];
        dvci_set_row(s, r, s->rows[last]);
    }
    s->col_at[j] = s->row_at[i] = -1;
    s->m = last;
}

/* The exchange of the entering member for the leaving one. dy holds -X a when an unknown enters. */
static void dvci_pivot_exchange(dvci_pivots *s, const dvci_stop *stop)
{
    int e = s->entering, l = stop->index, i;
    bool row_leaves = stop->kind == DVCI_STOP_SLACK;
    if (!s->slack_enters && row_leaves) {
        for (i = 0; i < s->m; i++) s->u[i] = -s->dy[s->cols[i]];
        dvci_core_row_times(s, l, s->v);
        dvci_core_grow(s, e, l, s->dw[l]);
    } else if (!s->slack_enters) {
        int c = s->col_at[l];
        for (i = 0; i < s->m; i++) s->u[i] = -s->dy[s->cols[i]];
        dvci_core_eliminate(s, c, s->u, s->u[c]);
        s->col_at[l] = -1;
        dvci_set_col(s, c, e);
    } else if (row_leaves) {
        int r = s->row_at[e];
        dvc_real pivot;
        dvci_core_row_times(s, l, s->v);
        pivot = s->v[r];
        s->v[r] = 0;
        for (i = 0; i < s->m; i++) {
            dvc_real *row = dvci_core_row(s, i);
            row[r] /= pivot;
            dvci_axpy(s->m, -row[r], s->v, row);
        }
        s->row_at[e] = -1;
        dvci_set_row(s, r, l);
    } else {
        dvci_core_shrink(s, e, l);
    }
}

/* A contact closes: its friction takes the side against the slip (or against the slip's infinitesimal), and its column
 * the friction along. */
static void dvci_pivot_fold(dvci_pivots *s, int k)
{
    int n = s->p->n, i, r;
    dvc_real *fold = s->fold + (size_t)s->fold_at[k] * (size_t)n;
    memcpy(fold, dvci_mcp_column(s->p, k), (size_t)n * sizeof *fold);
    for (i = k + 1; i < n && s->p->owner[i] == k; i++) {
        dvc_real slip = s->w[i];
        if (dvci_abs(slip) <= DVCI_LCP_SAME) {
            dvci_stop stop;
            stop.kind = DVCI_STOP_SLACK;
            stop.index = i;
            stop.value = 0;
            stop.rate = -1;
            s->side[i] = -1;
            dvci_lexicographic_row(s, &stop, s->rival);
            for (r = 0; r < n && dvci_abs(s->rival[r]) <= DVCI_LCP_SAME; r++) {}
            slip = r < n ? s->rival[r] : 1;
        }
        s->side[i] = (signed char)(slip < 0 ? 1 : -1);
        s->y[i] = 0;
        dvci_axpy(n, (dvc_real)s->side[i] * s->p->upper[i], dvci_mcp_column(s->p, i), fold);
    }
}

/* Unknown j has reached its other bound: from now on it is measured from there. */
static void dvci_pivot_flip(dvci_pivots *s, int j)
{
    int n = s->p->n, k = s->p->owner[j], c = s->col_at[j], i;
    dvc_real reach = k < 0 ? s->p->upper[j] - s->p->lower[j] : 2 * s->p->upper[j];
    s->side[j] = (signed char)-s->side[j];
    dvci_axpy(n, (dvc_real)s->side[j] * reach, dvci_mcp_column(s->p, j),
              k < 0 ? s->base : s->fold + (size_t)s->fold_at[k] * (size_t)n);
    if (c >= 0) { /* y_j = range - y'_j */
        const dvc_real *owner = k < 0 ? NULL : dvci_core_row(s, s->col_at[k]);
        for (i = 0; i < s->m; i++) dvci_core_row(s, c)[i] = (owner ? reach * owner[i] : 0) - dvci_core_row(s, c)[i];
        s->dy[j] = (owner ? reach * s->dy[k] : 0) - s->dy[j];
    } else if (k >= 0) { /* the entering one: its owner's column has changed under it */
        for (i = 0; i < s->m; i++) s->u[i] = -reach * s->dy[s->cols[i]];
        s->u[s->col_at[k]] += 1;
        dvci_core_eliminate(s, s->col_at[k], s->u, s->u[s->col_at[k]]);
    }
}

/* Values from the basis itself: y = -X base, w = base + columns y. Clears what rounding has gathered. */
static void dvci_pivot_refresh(dvci_pivots *s)
{
    int n = s->p->n, c;
    dvc_real sign;
    for (c = 0; c < s->m; c++) s->v[c] = s->base[s->rows[c]];
    for (c = 0; c < s->m; c++) s->y[s->cols[c]] = -dvci_dot_n(s->m, dvci_core_row(s, c), s->v);
    memcpy(s->w, s->base, (size_t)n * sizeof *s->w);
    for (c = 0; c < s->m; c++) {
        const dvc_real *column = dvci_pivot_column(s, s->cols[c], &sign);
        dvci_axpy(n, sign * s->y[s->cols[c]], column, s->w);
    }
    for (c = 0; c < s->m; c++) s->w[s->rows[c]] = 0;
}

/* X from scratch, by LU of the core. False if the core is singular to rounding. */
static bool dvci_pivot_refactor(dvci_pivots *s, dvci_arena *arena)
{
    size_t mark = arena->used, m = (size_t)s->m;
    dvc_real *core = dvci_alloc_reals(arena, dvci_times(m, m)), sign;
    int *order = dvci_alloc_ints(arena, m), r, c;
    bool regular;
    if (arena->failed) return false;
    for (c = 0; c < s->m; c++) {
        const dvc_real *column = dvci_pivot_column(s, s->cols[c], &sign);
        for (r = 0; r < s->m; r++) core[(size_t)r * m + (size_t)c] = sign * column[s->rows[r]];
    }
    regular = dvci_lu_factor(s->m, s->m, core, order);
    for (c = 0; regular && c < s->m; c++) {
        dvci_fill(s->m, 0, s->u);
        s->u[c] = 1;
        dvci_lu_solve(s->m, s->m, core, order, s->u);
        for (r = 0; r < s->m; r++) dvci_core_row(s, r)[c] = s->u[r];
    }
    arena->used = mark;
    return regular;
}

/* All unknowns on a bound, free ones in; t not yet in. False if the free rows are singular. */
static bool dvci_pivot_start(dvci_pivots *s, const dvci_mcp *p, dvci_arena *arena)
{
    int n = p->n, i, owners = 0;
    s->p = p;
    s->entering = -1;
    s->slack_enters = false;
    memcpy(s->base, p->b, (size_t)n * sizeof *s->base);
    s->col_at[n] = -1;
    s->y[n] = 0;
    for (i = 0; i < n; i++) {
        bool below = p->owner[i] >= 0 || !dvci_no_bound(p->lower[i]), above = p->owner[i] < 0 && !dvci_no_bound(p->upper[i]);
        dvc_real bound = p->owner[i] >= 0 || (!below && !above) ? 0 : below ? p->lower[i] : p->upper[i];
        s->row_at[i] = s->col_at[i] = -1;
        s->y[i] = 0;
        s->side[i] = (signed char)(below || !above ? -1 : 1);
        s->sign[i] = (signed char)-s->side[i];
        s->fold_at[i] = i + 1 < n && p->owner[i + 1] == i ? owners++ : -1;
        if (bound != 0) dvci_axpy(n, bound, dvci_mcp_column(p, i), s->base);
        if (below || above) continue;
        dvci_set_col(s, s->m, i);
        dvci_set_row(s, s->m++, i);
    }
    if (s->m > 0 && !dvci_pivot_refactor(s, arena)) return false;
    dvci_pivot_refresh(s);
    return true;
}

/* t comes in at the value at which the last slack becomes zero; that row's unknown enters. False: already solved. */
static bool dvci_pivot_cover(dvci_pivots *s)
{
    int n = s->p->n, i, c, chosen = -1;
    dvc_real level = 0;
    for (i = 0; i < n; i++) {
        dvc_real need;
        if (s->row_at[i] >= 0 || s->p->owner[i] >= 0) continue;
        need = s->w[i] * (dvc_real)s->side[i] / dvci_abs(s->cover[i]); /* -slack / cover */
        if (need > level + (chosen < 0 ? 0 : DVCI_LCP_SAME * level)) { /* the first of tied rows is the lexicographic one */
            level = need;
            chosen = i;
        }
    }
    if (chosen < 0) return false;
    for (c = 0; c < s->m; c++) s->u[c] = 0;
    for (c = 0; c < s->m; c++) s->v[c] = s->cover[s->rows[c]];
    for (c = 0; c < s->m; c++) s->u[c] = dvci_dot_n(s->m, dvci_core_row(s, c), s->v);
    dvci_core_row_times(s, chosen, s->v);
    {
        dvc_real schur = s->cover[chosen];
        for (c = 0; c < s->m; c++) schur -= s->v[c] * s->cover[s->rows[c]];
        dvci_core_grow(s, n, chosen, schur);
    }
    dvci_pivot_refresh(s);
    s->entering = chosen;
    if (s->fold_at[chosen] >= 0) dvci_pivot_fold(s, chosen);
    return true;
}

/* The complement of what left enters next. */
static void dvci_pivot_turn(dvci_pivots *s, const dvci_stop *stop)
{
    s->entering = stop->index;
    s->slack_enters = stop->kind != DVCI_STOP_SLACK;
    if (!s->slack_enters && s->fold_at[stop->index] >= 0) dvci_pivot_fold(s, stop->index);
}

/* How well the direction keeps the slacks that are out at zero: X is only as good as this. */
static dvc_real dvci_pivot_error(const dvci_pivots *s)
{
    dvc_real error = 0, size = 0;
    int c;
    for (c = 0; c < s->m; c++) {
        size = dvci_max(size, dvci_abs(s->dy[s->cols[c]]));
        if (!s->slack_enters || s->rows[c] != s->entering) error = dvci_max(error, dvci_abs(s->dw[s->rows[c]]));
    }
    return size > 1 ? error / size : error;
}

/* One refinement: the slacks that are out, and moved all the same, go back to zero. */
static void dvci_pivot_correct(dvci_pivots *s)
{
    int c;
    dvc_real sign;
    for (c = 0; c < s->m; c++) s->v[c] = s->slack_enters && s->rows[c] == s->entering ? 0 : s->dw[s->rows[c]];
    for (c = 0; c < s->m; c++) s->u[c] = -dvci_dot_n(s->m, dvci_core_row(s, c), s->v);
    for (c = 0; c < s->m; c++) {
        const dvc_real *column = dvci_pivot_column(s, s->cols[c], &sign);
        s->dy[s->cols[c]] += s->u[c];
        dvci_axpy(s->p->n, sign * s->u[c], column, s->dw);
    }
}

/* The direction, refined if need be; from a new X after many steps or when refining is not enough. */
static bool dvci_pivot_aim(dvci_pivots *s, int step, dvci_arena *arena)
{
    dvci_pivot_direction(s);
    if (dvci_pivot_error(s) > DVCI_LCP_DRIFT) dvci_pivot_correct(s);
    if (step % 64 != 63 && dvci_pivot_error(s) <= DVCI_LCP_DRIFT) return true;
    if (!dvci_pivot_refactor(s, arena)) return false;
    dvci_pivot_refresh(s);
    dvci_pivot_direction(s);
    dvci_pivot_correct(s);
    return true;
}

/* Follows the path to t = 0. */
static dvc_status dvci_pivot_path(dvci_pivots *s, dvci_task *task)
{
    int n = s->p->n, limit = task->max_iterations > 0 ? task->max_iterations : 50 + 20 * n, k;
    for (k = 0; k < limit; k++) {
        dvci_stop stop;
        if (!dvci_pivot_aim(s, k, task->arena)) return DVC_ERROR_LCP_NOT_SOLVED;
        stop = dvci_pivot_ratio(s);
        task->iterations++;
        if (stop.kind == DVCI_STOP_NONE) return DVC_ERROR_LCP_INFEASIBLE; /* a ray */
        dvci_pivot_advance(s, &stop);
        if (stop.kind == DVCI_STOP_RANGE || stop.kind == DVCI_STOP_OWN) dvci_pivot_flip(s, stop.index);
        if (stop.kind != DVCI_STOP_OWN) dvci_pivot_exchange(s, &stop);
        if (stop.index == n) return DVC_OK;
        dvci_pivot_turn(s, &stop);
    }
    return DVC_ERROR_LCP_LIMIT;
}

/* Covering vectors: 0 row sums, 1 ones, further ones pseudo-random between 1/2 and 3/2. Friction rows and free ones need none. */
static void dvci_pivot_choose_cover(dvci_pivots *s, int kind)
{
    const dvci_mcp *p = s->p;
    uint32_t state = (uint32_t)kind * 2654435761u + 12345u;
    int i, j;
    dvci_fill(p->n, kind == 0 ? 0 : 1, s->cover);
    for (j = 0; kind == 0 && j < p->n; j++)
        for (i = 0; i < p->n; i++) s->cover[i] += dvci_abs(dvci_mcp_column(p, j)[i]);
    for (i = 0; i < p->n; i++) {
        state = state * 1664525u + 1013904223u;
        if (kind > 1) s->cover[i] = DVCI_R(0.5) + (dvc_real)(state >> 8) / (dvc_real)(1 << 24);
        if (!(s->cover[i] > 0)) s->cover[i] = 1;
        s->cover[i] = p->owner[i] >= 0 || s->col_at[i] >= 0 ? 0 : (dvc_real)-s->side[i] * s->cover[i];
    }
}

/* z and modes of the basis at the path's end. */
static void dvci_pivot_result(const dvci_pivots *s, dvci_task *task)
{
    const dvci_mcp *p = s->p;
    int i;
    for (i = 0; i < p->n; i++) {
        int k = p->owner[i];
        dvc_real side = (dvc_real)s->side[i], bound = s->side[i] > 0 ? p->upper[i] : p->lower[i];
        if (k < 0 && dvci_no_bound(bound)) bound = 0;
        task->mode[i] = s->col_at[i] >= 0 ? 0 : s->side[i];
        task->z[i] = k < 0 ? bound - side * s->y[i] : side * (p->upper[i] * task->z[k] - s->y[i]);
    }
}

/* Solves the equations of the modes by LU with row exchanges and refines twice; keeps the result if it is better. */
static void dvci_polish(dvci_task *task)
{
    const dvci_mcp *p = task->p;
    size_t mark = task->arena->used, n = (size_t)p->n;
    int *set = dvci_alloc_ints(task->arena, n), *order = dvci_alloc_ints(task->arena, n), m = 0, r, c, pass;
    dvc_real *core, *fold = dvci_alloc_reals(task->arena, n), *keep = dvci_alloc_reals(task->arena, n);
    dvc_real before = dvci_mcp_residual(task);
    if (!task->arena->failed) m = dvci_active_rows(p, task->mode, false, set);
    core = dvci_alloc_reals(task->arena, dvci_times(n, n));
    if (!task->arena->failed) {
        memcpy(keep, task->z, n * sizeof *keep);
        for (c = 0; c < m; c++) {
            const dvc_real *column = dvci_folded_column(p, task->mode, set[c], fold);
            for (r = 0; r < m; r++) core[r * m + c] = column[set[r]];
        }
        if (dvci_lu_factor(m, m, core, order)) {
            for (pass = 0; pass < 3; pass++) {
                dvci_place_bounded(task);
                dvci_mcp_apply(p, task->z, task->w);
                for (c = 0; c < m; c++) fold[c] = -task->w[set[c]];
                dvci_lu_solve(m, m, core, order, fold);
                for (c = 0; c < m; c++) task->z[set[c]] += fold[c];
            }
            dvci_place_bounded(task);
            dvci_mcp_project(p, task->z);
            if (!(dvci_mcp_residual(task) <= before)) memcpy(task->z, keep, n * sizeof *keep);
        }
    }
    task->arena->used = mark;
}

/* A path ends at a corner of the set of solutions: friction that does not slip may sit on its bound, contacts that touch may be
 * left without load, with others straining against each other or carrying all. Those rows may move. */
static bool dvci_loosen(dvci_task *task)
{
    const dvci_mcp *p = task->p;
    bool any = false;
    int i;
    for (i = 0; i < p->n; i++) {
        bool closes = p->owner[i] < 0 && task->mode[i] < 0 && p->lower[i] == 0 && p->upper[i] > 0;
        bool slides = p->owner[i] >= 0 && task->mode[i] != 0 && task->mode[p->owner[i]] == 0;
        if ((!closes && !slides) || dvci_abs(task->w[i]) > DVCI_LCP_SAME) continue;
        task->mode[i] = 0;
        any = true;
    }
    return any;
}

/* The ratio test may have gone wrong by the tie tolerance: a few active set steps from here take the rest away. */
static void dvci_mend(dvci_task *task)
{
    size_t mark = task->arena->used, n = (size_t)task->p->n;
    dvc_real *z = dvci_alloc_reals(task->arena, n), before = dvci_mcp_residual(task);
    signed char *mode = dvci_alloc_modes(task->arena, n);
    if (!task->arena->failed && dvci_diagonal_positive(task->p)) {
        memcpy(z, task->z, n * sizeof *z);
        memcpy(mode, task->mode, n);
        if ((dvci_loosen(task) || before > DVCI_LCP_ZERO) && dvci_solve_active_set(task, 8) != DVC_OK) {
            memcpy(task->z, z, n * sizeof *z);
            memcpy(task->mode, mode, n);
        }
    }
    task->arena->used = mark;
}

/* Lemke's method with one covering vector. */
static dvc_status dvci_solve_pivoting(dvci_task *task, int cover)
{
    size_t mark = task->arena->used;
    dvc_status status = DVC_ERROR_LCP_NOT_SOLVED;
    dvci_pivots s;
    dvci_pivots_carve(&s, task->p->n, dvci_owner_count(task->p), task->arena);
    if (task->arena->failed) return DVC_ERROR_SCRATCH;
    if (dvci_pivot_start(&s, task->p, task->arena)) {
        dvci_pivot_choose_cover(&s, cover);
        status = dvci_pivot_cover(&s) ? dvci_pivot_path(&s, task) : DVC_OK;
        dvci_pivot_result(&s, task);
        task->arena->used = mark;
        if (status == DVC_OK) dvci_polish(task);
        dvci_mcp_project(task->p, task->z);
        if (status == DVC_OK) dvci_mend(task);
        if (status == DVC_OK && !(dvci_mcp_residual(task) <= task->tolerance)) status = DVC_ERROR_LCP_NOT_SOLVED;
    }
    task->arena->used = mark;
    return status;
}

/* ---- Newton and interior point methods, on plain rows ---- */

/* Both factor one dense matrix per iteration. */
typedef struct dvci_newton {
    dvc_real *matrix;        /* (n x n) by rows */
    int *order;              /* (n) */
    dvc_real *step;          /* (n) */
    dvc_real *function;      /* (n) */
    dvc_real *by_z, *by_w;   /* (n) derivatives of the function */
    dvc_real *start;         /* (n) */
    dvc_real *low, *high;    /* (n) interior point: multipliers of the bounds */
} dvci_newton;

static void dvci_newton_carve(dvci_newton *s, int n, dvci_arena *arena)
{
    size_t count = (size_t)n;
    s->matrix = dvci_alloc_reals(arena, dvci_times(count, count));
    s->order = dvci_alloc_ints(arena, count);
    s->step = dvci_alloc_reals(arena, count);
    s->function = dvci_alloc_reals(arena, count);
    s->by_z = dvci_alloc_reals(arena, count);
    s->by_w = dvci_alloc_reals(arena, count);
    s->start = dvci_alloc_reals(arena, count);
    s->low = dvci_alloc_reals(arena, count);
    s->high = dvci_alloc_reals(arena, count);
}

/* phi(a, b) = a + b - sqrt(a^2 + b^2) and an element of its derivative; phi = 0 iff a >= 0, b >= 0, a b = 0. */
static dvc_real dvci_fischer(dvc_real a, dvc_real b, dvc_real *by_a, dvc_real *by_b)
{
    dvc_real root = dvci_sqrt(a * a + b * b);
    if (root > 0) {
        *by_a = 1 - a / root;
        *by_b = 1 - b / root;
    } else {
        *by_a = *by_b = 1 - DVCI_R(0.70710678118654752);
    }
    return a + b - root;
}

/* The function of one row: w where free, phi(z - lower, w) with one bound, phi(z - lower, -phi(upper - z, -w)) with two. */
static dvc_real dvci_fischer_row(dvc_real z, dvc_real w, dvc_real lower, dvc_real upper, dvc_real *by_z, dvc_real *by_w)
{
    dvc_real inner_z, inner_w, inner, outer_z, outer_w, value;
    if (dvci_no_bound(lower) && dvci_no_bound(upper)) {
        *by_z = 0;
        *by_w = 1;
        return w;
    }
    if (dvci_no_bound(upper)) return dvci_fischer(z - lower, w, by_z, by_w);
    inner = -dvci_fischer(upper - z, -w, &inner_z, &inner_w);
    if (dvci_no_bound(lower)) {
        *by_z = inner_z;
        *by_w = inner_w;
        return inner;
    }
    value = dvci_fischer(z - lower, inner, &outer_z, &outer_w);
    *by_z = outer_z + outer_w * inner_z;
    *by_w = outer_w * inner_w;
    return value;
}

/* Fills function and derivatives at z; returns half the square of the function's norm. */
static dvc_real dvci_fischer_merit(dvci_task *task, dvci_newton *s)
{
    const dvci_mcp *p = task->p;
    dvc_real merit = 0;
    int i;
    dvci_mcp_apply(p, task->z, task->w);
    for (i = 0; i < p->n; i++) {
        s->function[i] = dvci_fischer_row(task->z[i], task->w[i], p->lower[i], p->upper[i], &s->by_z[i], &s->by_w[i]);
        merit += s->function[i] * s->function[i] / 2;
    }
    return merit;
}

/* Newton's step from H = diag(by_z) + diag(by_w) A; the steepest descent -H'f where H is singular or the step climbs. */
static dvc_real dvci_fischer_step(dvci_task *task, dvci_newton *s)
{
    const dvci_mcp *p = task->p;
    dvc_real slope = 0, length = 0;
    int n = p->n, i, j;
    bool regular;
    for (j = 0; j < n; j++) {
        s->high[j] = s->by_z[j] * s->function[j]; /* the gradient H'f */
        for (i = 0; i < n; i++) {
            s->matrix[i * n + j] = s->by_w[i] * dvci_mcp_column(p, j)[i] + (i == j ? s->by_z[i] : 0);
            s->high[j] += s->by_w[i] * dvci_mcp_column(p, j)[i] * s->function[i];
        }
    }
    for (i = 0; i < n; i++) s->step[i] = -s->function[i];
    regular = dvci_lu_factor(n, n, s->matrix, s->order);
    if (regular) dvci_lu_solve(n, n, s->matrix, s->order, s->step);
    for (i = 0; i < n; i++) {
        slope += s->high[i] * s->step[i];
        length += s->step[i] * s->step[i];
    }
    if (regular && dvci_finite(length) && slope < -DVCI_R(1e-10) * length) return slope;
    for (slope = 0, i = 0; i < n; i++) {
        s->step[i] = -s->high[i];
        slope -= s->high[i] * s->high[i];
    }
    return slope;
}

static dvc_status dvci_solve_fischer(dvci_task *task)
{
    int n = task->p->n, limit = task->max_iterations > 0 ? task->max_iterations : 100, k, i;
    dvc_real merit, slope, length;
    dvci_newton s;
    dvci_newton_carve(&s, n, task->arena);
    if (task->arena->failed) return DVC_ERROR_SCRATCH;
    for (k = 0; k < limit; k++) {
        if (dvci_mcp_residual(task) <= task->tolerance) return DVC_OK;
        merit = dvci_fischer_merit(task, &s);
        slope = dvci_fischer_step(task, &s);
        if (!(slope < 0)) return DVC_ERROR_LCP_NOT_SOLVED; /* a stationary point that is no solution */
        memcpy(s.start, task->z, (size_t)n * sizeof *s.start);
        for (length = 1; length > DVCI_R(1e-12); length /= 2) { /* Armijo */
            for (i = 0; i < n; i++) task->z[i] = s.start[i] + length * s.step[i];
            if (dvci_fischer_merit(task, &s) <= merit + DVCI_R(1e-4) * length * slope) break;
        }
        task->iterations++;
    }
    return dvci_mcp_residual(task) <= task->tolerance ? DVC_OK : DVC_ERROR_LCP_LIMIT;
}

/* The largest step in (0, 1] that keeps x + step d at or above a small part of x. */
static dvc_real dvci_inner_step(dvc_real x, dvc_real d, dvc_real step)
{
    return x + step * d < DVCI_R(0.005) * x ? DVCI_R(0.995) * x / -d : step;
}

/* Interior point: A z + b - low + high = 0, (z - lower) low = target, (upper - z) high = target, target -> 0. */
static dvc_real dvci_interior_target(const dvci_task *task, const dvci_newton *s, int *count)
{
    const dvci_mcp *p = task->p;
    dvc_real sum = 0;
    int i;
    for (*count = 0, i = 0; i < p->n; i++) {
        if (!dvci_no_bound(p->lower[i])) { sum += (task->z[i] - p->lower[i]) * s->low[i]; ++*count; }
        if (!dvci_no_bound(p->upper[i])) { sum += (p->upper[i] - task->z[i]) * s->high[i]; ++*count; }
    }
    return *count > 0 ? sum / (dvc_real)*count : 0;
}

static void dvci_interior_start(dvci_task *task, dvci_newton *s)
{
    const dvci_mcp *p = task->p;
    int i;
    for (i = 0; i < p->n; i++) {
        bool below = !dvci_no_bound(p->lower[i]), above = !dvci_no_bound(p->upper[i]);
        task->z[i] = below && above ? (p->lower[i] + p->upper[i]) / 2 : below ? p->lower[i] + 1 : above ? p->upper[i] - 1 : 0;
        s->low[i] = below ? 1 : 0;
        s->high[i] = above ? 1 : 0;
    }
}

/* One Newton step towards `target`; returns its length. */
static dvc_real dvci_interior_step(dvci_task *task, dvci_newton *s, dvc_real target)
{
    const dvci_mcp *p = task->p;
    dvc_real length = 1;
    int n = p->n, i, j;
    for (i = 0; i < n; i++) {
        bool below = !dvci_no_bound(p->lower[i]), above = !dvci_no_bound(p->upper[i]);
        dvc_real from_low = below ? task->z[i] - p->lower[i] : 1, from_high = above ? p->upper[i] - task->z[i] : 1;
        for (j = 0; j < n; j++) s->matrix[i * n + j] = dvci_mcp_column(p, j)[i];
        s->by_z[i] = below ? target / from_low - s->low[i] : 0;   /* what the multipliers change by, at dz = 0 */
        s->by_w[i] = above ? target / from_high - s->high[i] : 0;
        s->matrix[i * n + i] += s->low[i] / from_low + s->high[i] / from_high;
        s->step[i] = -(task->w[i] - s->low[i] + s->high[i]) + s->by_z[i] - s->by_w[i];
    }
    if (!dvci_lu_factor(n, n, s->matrix, s->order)) return 0;
    dvci_lu_solve(n, n, s->matrix, s->order, s->step);
    for (i = 0; i < n; i++) {
        if (!dvci_no_bound(p->lower[i])) {
            s->by_z[i] -= s->low[i] / (task->z[i] - p->lower[i]) * s->step[i];
            length = dvci_inner_step(s->low[i], s->by_z[i], dvci_inner_step(task->z[i] - p->lower[i], s->step[i], length));
        }
        if (!dvci_no_bound(p->upper[i])) {
            s->by_w[i] += s->high[i] / (p->upper[i] - task->z[i]) * s->step[i];
            length = dvci_inner_step(s->high[i], s->by_w[i], dvci_inner_step(p->upper[i] - task->z[i], -s->step[i], length));
        }
    }
    for (i = 0; i < n; i++) {
        task->z[i] += length * s->step[i];
        s->low[i] += length * s->by_z[i];
        s->high[i] += length * s->by_w[i];
    }
    return length;
}

static dvc_status dvci_solve_interior(dvci_task *task)
{
    int n = task->p->n, limit = task->max_iterations > 0 ? task->max_iterations : 100, k, count;
    dvc_real length = 1;
    dvci_newton s;
    dvci_newton_carve(&s, n, task->arena);
    if (task->arena->failed) return DVC_ERROR_SCRATCH;
    dvci_interior_start(task, &s);
    for (k = 0; k < limit; k++) {
        dvc_real target;
        if (dvci_mcp_residual(task) <= task->tolerance) return DVC_OK;
        target = dvci_interior_target(task, &s, &count);
        length = dvci_interior_step(task, &s, target * (length > DVCI_R(0.9) ? DVCI_R(0.01) : DVCI_R(0.3)));
        task->iterations++;
        if (!(length > 0)) return DVC_ERROR_LCP_NOT_SOLVED;
    }
    return dvci_mcp_residual(task) <= task->tolerance ? DVC_OK : DVC_ERROR_LCP_LIMIT;
}

/* ---- the inner path, over bodies ----
 * For problems too large to be pivoted whose modes cannot be guessed: a heap, where whole faces lie on each other and friction
 * decides. Newton's method on z y = target for each distance z from a bound and the push y of that bound, target -> 0, all of them
 * positive all the way (Mehrotra's predictor and corrector). Its equations are those of the active set with a compliance of its
 * own for each row, so the same factor over the bodies solves them; that friction's bounds follow the normal impulse is in them.
 * With friction the path may turn back before target is 0. A compliance about the last step's impulses straightens it: it falls
 * with target, and stays where the path would not go on with less. The judge tells what that has cost.
 *
 * Were bounds of friction to push back on the normal impulses that they follow, the problem would be convex (the least energy
 * of what impulses within their cones leave to the bodies) and the path would lead to its end. That is not Coulomb's law, where
 * something slips. But where nothing does, both are the same: whether a heap can stand is asked so.
 */
typedef struct dvci_inner {
    dvci_blocks blocks;
    dvc_real give, least;       /* compliance in parts of the rows' diagonals, and the least one from here on */
    dvc_real *rate;             /* (n) diagonals; 0: a row that takes no part */
    dvc_real *anchor;           /* (n) the z at which nothing gives */
    dvc_real *w;                /* (n) A z + b with what gives; low - high in the end */
    dvc_real *down, *up;        /* (n) distances of z from its bounds; below 0: there is none */
    dvc_real *low, *high;       /* (n) the bounds' pushes, */
    dvc_real *down_by, *up_by;  /* (n) what the step changes distances by, */
    dvc_real *low_by, *high_by; /* (n) and pushes; for the corrector, their second-order part */
    dvc_real *step, *aim;       /* (n) what z changes by; the right-hand side of that */
    dvc_real *stiff, *follow;   /* (n) 1 / D of a row; what a linked z changes by with its owner's */
    dvc_real *best;             /* (n) z of the least residual so far */
    dvc_real residual;          /* that one */
    int idle, slow;             /* rounds since it was much more; rounds that came to nothing */
    bool convex;                /* friction's bounds push normals, too */
} dvci_inner;

/* How far z is from the bounds there are. */
static void dvci_inner_look(const dvci_task *task, dvci_inner *s)
{
    const dvci_mcp *p = task->p;
    int i;
    for (i = 0; i < p->n; i++) {
        int k = p->owner[i];
        dvc_real z = task->z[i], span = k < 0 ? 0 : p->upper[i] * task->z[k];
        s->down[i] = k < 0 ? z - p->lower[i] : span + z;
        s->up[i] = k < 0 ? p->upper[i] - z : span - z;
        if (!(s->rate[i] > 0) || dvci_no_bound(p->lower[i])) s->down[i] = -1;
        if (!(s->rate[i] > 0) || dvci_no_bound(p->upper[i])) s->up[i] = -1;
    }
}

/* What the step changes that by. */
static void dvci_inner_look_ahead(const dvci_task *task, dvci_inner *s)
{
    const dvci_mcp *p = task->p;
    int i;
    for (i = 0; i < p->n; i++) {
        dvc_real span = p->owner[i] < 0 ? 0 : p->upper[i] * s->step[p->owner[i]];
        s->down_by[i] = span + s->step[i];
        s->up_by[i] = span - s->step[i];
    }
}

static bool dvci_inner_carve(dvci_inner *s, const dvci_mcp *p, dvci_arena *arena)
{
    size_t n = (size_t)p->n;
    s->rate = dvci_alloc_reals(arena, n);
    s->anchor = dvci_alloc_reals(arena, n);
    s->w = dvci_alloc_reals(arena, n);
    s->down = dvci_alloc_reals(arena, n);
    s->up = dvci_alloc_reals(arena, n);
    s->down_by = dvci_alloc_reals(arena, n);
    s->up_by = dvci_alloc_reals(arena, n);
    s->low = dvci_alloc_reals(arena, n);
    s->high = dvci_alloc_reals(arena, n);
    s->low_by = dvci_alloc_reals(arena, n);
    s->high_by = dvci_alloc_reals(arena, n);
    s->step = dvci_alloc_reals(arena, n);
    s->aim = dvci_alloc_reals(arena, n);
    s->stiff = dvci_alloc_reals(arena, n);
    s->follow = dvci_alloc_reals(arena, n);
    s->best = dvci_alloc_reals(arena, n);
    return !arena->failed && dvci_blocks_plan(&s->blocks, p, arena);
}

/* From z, moved inside: `off` its bounds at least, their pushes to match. */
static void dvci_inner_start(dvci_task *task, dvci_inner *s, dvc_real off)
{
    const dvci_mcp *p = task->p;
    int i;
    for (i = 0; i < p->n; i++) {
        dvc_real low, high, middle;
        dvci_mcp_bounds(p, task->z, i, &low, &high);
        s->rate[i] = low < high ? dvci_mcp_diagonal(p, i) : 0;
        if (!(low < high)) continue;
        middle = dvci_no_bound(low) || dvci_no_bound(high) ? off : dvci_min(off, (high - low) / 2);
        task->z[i] = dvci_clamp(task->z[i], low + middle, high - middle);
    }
    dvci_inner_look(task, s);
    for (i = 0; i < p->n; i++) {
        s->low[i] = s->down[i] < 0 ? 0 : dvci_max(task->w[i], 0) + off * off / s->down[i];
        s->high[i] = s->up[i] < 0 ? 0 : dvci_max(-task->w[i], 0) + off * off / s->up[i];
    }
}

/* The mean of all products of distances and pushes, after so much of the step. */
static dvc_real dvci_inner_mean(const dvci_inner *s, int n, dvc_real length)
{
    dvc_real sum = 0;
    int i, count = 0;
    for (i = 0; i < n; i++) {
        bool low = s->down[i] >= 0, high = s->up[i] >= 0;
        if (low) sum += (s->down[i] + length * s->down_by[i]) * (s->low[i] + length * s->low_by[i]);
        if (high) sum += (s->up[i] + length * s->up_by[i]) * (s->high[i] + length * s->high_by[i]);
        count += low + high;
    }
    return count > 0 ? sum / (dvc_real)count : 0;
}

/* Pushes of a linked row in units of its owner's. */
static dvc_real dvci_inner_unit(const dvci_mcp *p, int k) { return p->unit[k] / p->unit[p->owner[k]]; }

/* What the bounds of a linked row add to its owner's rate once the row follows. */
static dvc_real dvci_inner_bind(const dvci_mcp *p, const dvci_inner *s, int k)
{
    dvc_real below = s->down[k] < 0 ? 0 : s->low[k] / s->down[k], above = s->up[k] < 0 ? 0 : s->high[k] / s->up[k];
    dvc_real both = below + above, off = below - above;
    return s->stiff[k] > 0 ? p->upper[k] * p->upper[k] * dvci_inner_unit(p, k) * (both - off * off * s->stiff[k]) : 0;
}

/* An owner's column, or row, with those of the rows that follow it. */
static const dvc_real *dvci_inner_fold(const dvci_mcp *p, const dvci_inner *s, int owner, bool rows, dvc_real *fold)
{
    const dvc_real *of = rows ? p->product->row : p->product->column;
    size_t size = 2 * (size_t)p->product->width;
    int k;
    memcpy(fold, of + (size_t)owner * size, size * sizeof *fold);
    for (k = owner + 1; k < p->n && p->owner[k] == owner; k++)
        dvci_axpy((int)size, s->follow[k] * (rows ? dvci_inner_unit(p, k) : 1), of + (size_t)k * size, fold);
    return fold;
}

/* D: a row's compliance and the rates push / distance of its bounds. An owner's linked rows follow it: their column of D. */
static bool dvci_inner_factor(const dvci_task *task, dvci_inner *s)
{
    const dvci_mcp *p = task->p;
    const dvci_product *q = p->product;
    size_t size = 2 * (size_t)q->width;
    dvc_real fold[24];
    int i, k;
    dvci_blocks_clear(&s->blocks);
    for (i = p->n - 1; i >= 0; i--) { /* linked rows before their owners */
        const dvc_real *column = q->column + (size_t)i * size, *row = q->row + (size_t)i * size;
        dvc_real below = s->down[i] < 0 ? 0 : s->low[i] / s->down[i], above = s->up[i] < 0 ? 0 : s->high[i] / s->up[i];
        for (k = i + 1; s->convex && k < p->n && p->owner[k] == i; k++) below += dvci_inner_bind(p, s, k);
        s->stiff[i] = s->rate[i] > 0 ? 1 / (q->extra[i] + s->give * s->rate[i] + below + above) : 0;
        s->follow[i] = p->owner[i] < 0 ? 0 : -p->upper[i] * (below - above) * s->stiff[i];
        if (s->stiff[i] == 0) continue;
        if (dvci_has_links(p, i)) column = dvci_inner_fold(p, s, i, false, fold);
        if (dvci_has_links(p, i) && s->convex) row = dvci_inner_fold(p, s, i, true, fold + 12);
        dvci_blocks_add(&s->blocks, q->body + 2 * i, s->stiff[i], column, row);
    }
    return dvci_blocks_factor(&s->blocks);
}

/* x becomes D^-1 x. */
static void dvci_inner_comply(const dvci_mcp *p, const dvci_inner *s, dvc_real *x)
{
    int i;
    for (i = 0; s->convex && i < p->n; i++)
        if (p->owner[i] >= 0) x[p->owner[i]] += s->follow[i] * dvci_inner_unit(p, i) * x[i];
    for (i = 0; i < p->n; i++) x[i] = s->stiff[i] * x[i] + (p->owner[i] < 0 ? 0 : s->follow[i] * x[p->owner[i]]);
}

/* step = (A + D)^-1 aim */
static void dvci_inner_solve(const dvci_task *task, dvci_inner *s)
{
    const dvci_product *q = task->p->product;
    dvci_blocks *f = &s->blocks;
    int n = task->p->n, w = q->width, i;
    memcpy(s->step, s->aim, (size_t)n * sizeof *s->step);
    dvci_inner_comply(task->p, s, s->step);
    dvci_fill(f->bodies * w, 0, f->nu);
    for (i = 0; i < 2 * n; i++)
        if (q->body[i] >= 0) dvci_axpy(w, s->step[i / 2], q->column + (size_t)i * (size_t)w, f->nu + w * f->rank[q->body[i]]);
    dvci_blocks_solve(f, f->nu);
    memcpy(s->step, s->aim, (size_t)n * sizeof *s->step);
    for (i = 0; i < 2 * n; i++)
        if (q->body[i] >= 0) s->step[i / 2] -= dvci_row_dot(w, q->row + (size_t)i * (size_t)w, f->nu + w * f->rank[q->body[i]]);
    dvci_inner_comply(task->p, s, s->step);
}

/* The step towards `target`, less the second-order parts in low_by and high_by. */
static void dvci_inner_direct(const dvci_task *task, dvci_inner *s, dvc_real target)
{
    int i, n = task->p->n;
    for (i = 0; i < n; i++) {
        dvc_real low = s->down[i] < 0 ? 0 : (target - s->low_by[i]) / s->down[i];
        dvc_real high = s->up[i] < 0 ? 0 : (target - s->high_by[i]) / s->up[i];
        s->aim[i] = s->rate[i] > 0 ? low - high - s->w[i] : 0;
        if (s->convex && task->p->owner[i] >= 0)
            s->aim[task->p->owner[i]] += task->p->upper[i] * dvci_inner_unit(task->p, i) * (low + high);
    }
    dvci_inner_solve(task, s);
    dvci_inner_look_ahead(task, s);
    for (i = 0; i < n; i++) {
        if (s->down[i] >= 0) s->low_by[i] = (target - s->low_by[i] - s->low[i] * s->down_by[i]) / s->down[i] - s->low[i];
        if (s->up[i] >= 0) s->high_by[i] = (target - s->high_by[i] - s->high[i] * s->up_by[i]) / s->up[i] - s->high[i];
    }
}

/* How much of the step leaves `share` of all distances and pushes. */
static dvc_real dvci_inner_length(const dvci_inner *s, int n, dvc_real share)
{
    dvc_real length = 1, most = 1 - share;
    int i;
    for (i = 0; i < n; i++) {
        if (s->down[i] >= 0) {
            if (s->down[i] + length * s->down_by[i] < share * s->down[i]) length = most * s->down[i] / -s->down_by[i];
            if (s->low[i] + length * s->low_by[i] < share * s->low[i]) length = most * s->low[i] / -s->low_by[i];
        }
        if (s->up[i] >= 0) {
            if (s->up[i] + length * s->up_by[i] < share * s->up[i]) length = most * s->up[i] / -s->up_by[i];
            if (s->high[i] + length * s->high_by[i] < share * s->high[i]) length = most * s->high[i] / -s->high_by[i];
        }
    }
    return length;
}

/* What the corrector is to know of the predictor. */
static void dvci_inner_look_back(dvci_inner *s, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        s->low_by[i] *= s->down_by[i];
        s->high_by[i] *= s->up_by[i];
    }
}

static void dvci_inner_move(dvci_task *task, const dvci_inner *s, dvc_real length)
{
    int i;
    for (i = 0; i < task->p->n; i++) {
        task->z[i] += length * s->step[i];
        s->low[i] += length * s->low_by[i];
        s->high[i] += length * s->high_by[i];
    }
}

/* One round with the compliance as it is. Returns how much of its step could be gone; negative: there is no factor. */
static dvc_real dvci_inner_round(dvci_task *task, dvci_inner *s, dvc_real mean)
{
    dvc_real length, ahead;
    int i, n = task->p->n;
    for (i = 0; i < n; i++) s->w[i] = task->w[i] + s->give * s->rate[i] * (task->z[i] - s->anchor[i]);
    if (!dvci_inner_factor(task, s)) return -1;
    dvci_fill(n, 0, s->low_by);
    dvci_fill(n, 0, s->high_by);
    dvci_inner_direct(task, s, 0);
    ahead = dvci_inner_mean(s, n, dvci_inner_length(s, n, 0)) / mean;
    dvci_inner_look_back(s, n);
    dvci_inner_direct(task, s, mean * dvci_min(ahead * ahead * ahead, DVCI_R(0.5)));
    length = dvci_inner_length(s, n, DVCI_R(0.01));
    dvci_inner_move(task, s, length);
    task->iterations++;
    return length;
}

/* Keeps the best z. False: it is good enough, or has not got much better for long, or there is no time left. */
static bool dvci_inner_goes_on(dvci_task *task, dvci_inner *s)
{
    dvc_real now = dvci_mcp_residual(task);
    s->idle = now < s->residual / 2 ? 0 : s->idle + 1;
    if (now < s->residual) {
        s->residual = now;
        memcpy(s->best, task->z, (size_t)task->p->n * sizeof *s->best);
    }
    return s->idle < DVCI_INNER_IDLE && now > DVCI_LCP_ZERO && now < DVC_INFINITY && !dvci_time_is_up(&task->watch);
}

/* The compliance falls with the mean product; where the path has hardly gone on twice, it rises and stays. */
static void dvci_inner_give(dvci_inner *s, dvc_real mean, dvc_real length)
{
    s->slow = length < DVCI_R(0.1) ? s->slow + 1 : 0;
    if (s->slow == 2) {
        s->least = s->give = dvci_min(30 * s->give, DVCI_LCP_NEAR);
        s->slow = 0;
    }
    s->give = dvci_max(s->least, dvci_min(s->give, DVCI_LCP_NEAR * dvci_sqrt(mean)));
}

/* From z to the best there is along the path; what gives does so about the impulses `anchor`, or, with none, about z as it goes
 * along: then the problem is made convex. */
static dvc_status dvci_solve_inner(dvci_task *task, const dvc_real *anchor)
{
    size_t mark = task->arena->used, size = (size_t)task->p->n * sizeof *anchor;
    dvci_inner s;
    dvc_real mean, length = 1;
    int k;
    if (!dvci_inner_carve(&s, task->p, task->arena)) return DVC_ERROR_SCRATCH;
    s.convex = !anchor;
    memcpy(s.anchor, anchor ? anchor : task->z, size);
    memcpy(s.best, task->z, size);
    s.residual = dvci_mcp_residual(task);
    s.give = 1;
    s.least = DVCI_LCP_ACCEPT;
    s.idle = s.slow = 0;
    dvci_inner_start(task, &s, DVCI_INNER_OFF);
    for (k = 0; k < task->p->n; k++) s.down_by[k] = s.up_by[k] = s.low_by[k] = s.high_by[k] = 0;
    dvci_mcp_residual(task);
    for (k = 0; k < DVCI_INNER_ROUNDS && length > 0; k++) {
        dvci_inner_look(task, &s);
        mean = dvci_inner_mean(&s, task->p->n, 0);
        dvci_inner_give(&s, mean, length);
        if (s.convex) memcpy(s.anchor, task->z, size);
        length = dvci_inner_round(task, &s, mean);
        if (!dvci_inner_goes_on(task, &s)) break;
        if (s.convex && mean < DVCI_SHARP_FROM * DVCI_SHARP_FROM && s.residual > DVCI_SHARP_FROM) break; /* it ends elsewhere */
    }
    memcpy(task->z, s.best, size);
    task->arena->used = mark;
    return dvci_mcp_residual(task) <= task->tolerance ? DVC_OK : DVC_ERROR_LCP_LIMIT;
}

/* ---- the chain ---- */

/* The modes that z and w have: which bound z - w is beyond, however near to it rounding has left z. Returns how many are new. */
static int dvci_read_modes(dvci_task *task)
{
    const dvci_mcp *p = task->p;
    int i, changes = 0;
    for (i = 0; i < p->n; i++) {
        dvc_real low, high, toward = task->z[i] - task->w[i];
        signed char old = task->mode[i];
        dvci_mcp_bounds(p, task->z, i, &low, &high);
        task->mode[i] = (signed char)(high <= low     ? (task->w[i] < 0 ? 1 : -1)
                                      : toward < low  ? -1
                                      : toward > high ? 1
                                                      : 0);
        changes += task->mode[i] != old;
    }
    return changes;
}

/* Modes from the signs after Gauss-Seidel sweeps, until one leaves them as they are: a few sweeps cost less than a factor. Where
 * nothing goes apart and some rows wait for the load of others, all holds: a sweep carries load from body to body, and would
 * open half of a stack. */
static void dvci_guess_modes(dvci_task *task)
{
    const dvci_mcp *p = task->p;
    dvc_real most = -DVC_INFINITY;
    bool moves;
    int k, i;
    for (i = 0; i < p->n; i++) {
        dvc_real low, high;
        dvci_mcp_bounds(p, task->z, i, &low, &high);
        task->z[i] = dvci_clamp(0, low, high);
    }
    dvci_mcp_apply(p, task->z, task->w);
    for (i = 0; i < p->n; i++) most = dvci_max(most, task->w[i]);
    moves = most > 0 || most < -DVCI_LCP_ZERO;
    if (moves) dvci_sweep_relaxed(p, 1, task->z, task->w);
    dvci_read_modes(task);
    for (k = 1; moves && k < DVCI_GUESS_SWEEPS; k++) {
        dvci_sweep_relaxed(p, 1, task->z, task->w);
        moves = dvci_read_modes(task) > 0;
    }
}

#define DVCI_COVERS 10

/* The modes of the start, but all friction sticks: of many solutions (a hand that holds a box by its corners) the quiet one.
 * False: there is no friction. */
static bool dvci_stick_all(dvci_task *task, const signed char *start)
{
    bool any = false;
    int i;
    for (i = 0; i < task->p->n; i++) {
        any = any || task->p->owner[i] >= 0;
        task->mode[i] = task->p->owner[i] >= 0 ? 0 : start[i];
    }
    return any;
}

static bool dvci_is_over(dvc_status status) { return status == DVC_OK || status == DVC_ERROR_SCRATCH; }

/* From the modes of the last step, then from those with all friction sticking. */
static dvc_status dvci_solve_warm(dvci_task *task, const signed char *start, int rounds)
{
    dvc_status status;
    task->attempts++;
    status = dvci_solve_active_set(task, rounds);
    if (!dvci_is_over(status) && dvci_stick_all(task, start)) {
        task->attempts++;
        status = dvci_solve_active_set(task, 12);
    }
    return status;
}

/* Makes z, which is near a solution, exact. If that fails, what is left in z is the better of before and after. */
static dvc_status dvci_sharpen(dvci_task *task, bool read)
{
    size_t mark = task->arena->used, n = (size_t)task->p->n;
    dvc_real before = dvci_mcp_residual(task), *keep;
    dvc_status status;
    if (read) dvci_read_modes(task);
    if (before <= DVCI_LCP_ZERO) return DVC_OK;
    keep = dvci_alloc_reals(task->arena, n);
    if (task->arena->failed) return DVC_ERROR_SCRATCH;
    memcpy(keep, task->z, n * sizeof *keep);
    task->from_z = true;
    status = dvci_solve_active_set(task, DVCI_NEAR_MOST);
    task->from_z = false;
    if (!dvci_is_over(status)) {
        dvci_mcp_project(task->p, task->z);
        if (!(dvci_mcp_residual(task) < before)) memcpy(task->z, keep, n * sizeof *keep);
    }
    task->arena->used = mark;
    return status;
}

/* The end where nothing was exact: z is what there is, with the modes to go on from. */
static dvc_status dvci_end_rough(dvci_task *task)
{
    dvc_status status = dvci_mcp_residual(task) <= task->tolerance ? DVC_OK : DVC_ERROR_LCP_LIMIT;
    dvci_read_modes(task);
    return status;
}

/* From the impulses of the last step by sweeps, and from there by the active set. */
static dvc_status dvci_solve_relaxed(dvci_task *task)
{
    dvc_status status;
    task->attempts++;
    status = dvci_solve_over_bodies(task, DVCI_SWEEPS);
    if (status != DVC_ERROR_SCRATCH) status = dvci_sharpen(task, true);
    return dvci_is_over(status) ? status : dvci_end_rough(task);
}

/* The exact try of a problem too large to pivot: near the impulses of the last step, or, where there are none, all sticking. */
static dvc_status dvci_solve_bulky_exactly(dvci_task *task, const signed char *mode)
{
    if (dvci_largest_z(task) > 0) return dvci_sharpen(task, false);
    task->attempts++;
    dvci_stick_all(task, mode);
    return dvci_solve_active_set(task, 20);
}

/* z is the start, unless that is farther off than no impulses at all: then it has become nonsense. */
static void dvci_start_from(dvci_task *task, const dvc_real *start)
{
    size_t size = (size_t)task->p->n * sizeof *start;
    dvc_real off;
    memcpy(task->z, start, size);
    off = dvci_mcp_residual(task);
    if (off <= DVCI_NONSENSE) return;
    dvci_fill(task->p->n, 0, task->z);
    dvci_mcp_project(task->p, task->z);
    if (!(dvci_mcp_residual(task) < off)) memcpy(task->z, start, size);
}

/* A problem too large to pivot. Not solved, it ends with DVC_ERROR_LCP_LIMIT and the best that sweeps, and in islands that are not
 * large the inner path and the active set from its end, have come to; or what the first tries had come to, if that is better. Each
 * goes on from where the one before is likely to have led: sweeps that ended near have left the inner path nothing to do, and from
 * far the active set gets nowhere. */
static dvc_status dvci_solve_bulky(dvci_task *task, const dvc_real *start, const signed char *mode)
{
    size_t n = (size_t)task->p->n;
    bool tries = task->warm && !task->large && !task->rough;
    dvc_status status = tries ? dvci_solve_bulky_exactly(task, mode) : DVC_ERROR_LCP_LIMIT;
    dvc_real *first = dvci_alloc_reals(task->arena, n);
    if (task->arena->failed) return DVC_ERROR_SCRATCH;
    if (dvci_is_over(status)) return status;
    dvci_mcp_project(task->p, task->z);
    memcpy(first, task->z, n * sizeof *first);
    dvci_start_from(task, start);
    task->attempts++;
    status = dvci_solve_over_bodies(task, task->sweeps > 0 ? task->sweeps : DVCI_SWEEPS);
    if (status != DVC_ERROR_SCRATCH && task->warm && !task->large
        && task->residual > (task->rough ? DVCI_INNER_ROUGH : DVCI_INNER_FROM))
        status = dvci_solve_inner(task, start);
    if (status != DVC_ERROR_SCRATCH && tries && task->residual <= DVCI_SHARP_FROM) status = dvci_sharpen(task, true);
    if (dvci_is_over(status)) return status;
    if (tries) dvci_take_better(task, first);
    return dvci_end_rough(task);
}

/* What is open carries nothing, not even the little that the inner path leaves it. */
static void dvci_unload_open(dvci_task *task)
{
    const dvci_mcp *p = task->p;
    int i;
    for (i = 0; i < p->n; i++)
        if (p->owner[i] < 0 && task->z[i] - task->w[i] < p->lower[i]) task->z[i] = p->lower[i];
    dvci_mcp_project(p, task->z);
}

/* Can all stand still? Impulses within their cones that leave no touch that is closed a motion, exactly. */
static dvc_status dvci_solve_standing(dvci_task *task)
{
    dvc_status status = dvci_solve_inner(task, NULL);
    task->attempts++;
    if (status == DVC_ERROR_SCRATCH || !(task->residual <= DVCI_SHARP_FROM)) return status;
    dvci_unload_open(task);
    status = dvci_sharpen(task, true);
    if (status != DVC_OK) return status;
    dvci_unload_open(task);
    return dvci_mcp_residual(task) <= task->tolerance ? DVC_OK : DVC_ERROR_LCP_LIMIT;
}

/* It must not be pivoted: any start will do. */
static void dvci_start_anyhow(dvci_task *task)
{
    dvci_mcp_project(task->p, task->z);
    dvci_mcp_residual(task);
    dvci_read_modes(task);
    task->warm = dvci_diagonal_positive(task->p);
}

/* One covering vector after another; the best iterate is what remains. Paths that lead somewhere take less than two exchanges a
 * row; what wanders for much longer is left for the next one. */
static dvc_status dvci_solve_by_covers(dvci_task *task)
{
    int n = task->p->n, cover, asked = task->max_iterations;
    dvc_real best = DVC_INFINITY, residual, *keep = dvci_alloc_reals(task->arena, (size_t)n);
    dvc_status status;
    bool rays = true;
    if (!dvci_mcp_form(task->p, task->arena) || task->arena->failed) return DVC_ERROR_SCRATCH;
    for (cover = 0; cover < DVCI_COVERS; cover++) {
        task->attempts++;
        task->solved_by = DVC_LEMKE;
        task->max_iterations = asked > 0 ? asked : 250 + 5 * n;
        status = dvci_solve_pivoting(task, cover);
        task->max_iterations = asked;
        if (dvci_is_over(status)) return status;
        rays = rays && status == DVC_ERROR_LCP_INFEASIBLE;
        residual = dvci_mcp_residual(task);
        if (cover > 0 && !(residual < best)) continue;
        best = residual;
        memcpy(keep, task->z, (size_t)n * sizeof *keep);
    }
    memcpy(task->z, keep, (size_t)n * sizeof *keep);
    return rays ? DVC_ERROR_LCP_INFEASIBLE : DVC_ERROR_LCP_NOT_SOLVED;
}

/* Could all come to rest on each other? A look at each touch for itself: friction stops no slip far faster than the blow. */
static bool dvci_is_in_order(const dvci_mcp *p)
{
    int i, k;
    for (i = 0; i < p->n; i++) {
        if (p->owner[i] >= 0) continue;
        if (p->lower[i] != 0 || !dvci_no_bound(p->upper[i])) return false;
        for (k = i + 1; p->b[i] < -DVCI_BEAR_SLACK && k < p->n && p->owner[k] == i; k++)
            if (dvci_abs(p->b[k]) > -DVCI_BEAR_SLIP * p->upper[k] * p->b[i]) return false;
    }
    return true;
}

/* Is it worth a try to hand loads down: is there something to bear, and do the last step's impulses tell nothing about it? */
static bool dvci_asks_for_bearing(dvci_task *task)
{
    int bodies = task->p->product ? task->p->product->bodies : 0;
    if (!task->warm || bodies < (dvci_owner_count(task->p) > 0 ? DVCI_BEAR_BODIES : DVCI_BEAR_SMOOTH)) return false;
    return dvci_is_in_order(task->p) && !(dvci_mcp_residual(task) <= DVCI_BEAR_FROM);
}

/* By handing loads down where the last step tells nothing; by the active set from its modes, then from what sweeps have come to,
 * then from a guess; by pivoting. */
static dvc_status dvci_solve_auto(dvci_task *task)
{
    size_t n = (size_t)task->p->n;
    bool bulky = task->p->product && (task->large || n > DVCI_PIVOT_ROWS);
    dvc_status status;
    dvc_real *start = dvci_alloc_reals(task->arena, n);
    signed char *mode = dvci_alloc_modes(task->arena, n);
    if (task->arena->failed) return DVC_ERROR_SCRATCH;
    if (bulky && !task->warm) dvci_start_anyhow(task);
    task->solved_by = DVC_MINMAP_NEWTON;
    if (task->stands) return dvci_solve_standing(task);
    if (task->warm || bulky) {
        memcpy(start, task->z, n * sizeof *start);
        memcpy(mode, task->mode, n);
    }
    if (dvci_asks_for_bearing(task)) {
        status = dvci_solve_bearing(task);
        if (status == DVC_OK) dvci_read_modes(task);
        if (dvci_is_over(status)) return status;
    }
    if (bulky) return dvci_solve_bulky(task, start, mode);
    if (task->warm) {
        status = dvci_solve_warm(task, mode, 6);
        if (dvci_is_over(status)) return status;
    }
    if (task->warm && task->p->product && n > DVCI_SWEEP_ROWS) {
        memcpy(task->z, start, n * sizeof *start);
        status = dvci_solve_relaxed(task);
        if (status == DVC_ERROR_SCRATCH) return status;
        if (status == DVC_OK && dvci_mcp_residual(task) <= 10 * DVCI_LCP_ZERO) return DVC_OK;
    }
    if (dvci_owner_count(task->p) == 0 && dvci_diagonal_positive(task->p)) { /* friction is rarely guessed */
        if (!dvci_mcp_form(task->p, task->arena)) return DVC_ERROR_SCRATCH;
        dvci_guess_modes(task);
        task->attempts++;
        status = dvci_solve_active_set(task, 40);
        if (dvci_is_over(status)) return status;
    }
    return dvci_solve_by_covers(task);
}

static dvc_status dvci_run_method(dvc_solver method, dvci_task *task)
{
    switch (method) {
    case DVC_LEMKE: return dvci_solve_pivoting(task, 0);
    case DVC_PGS: case DVC_PSOR: case DVC_JACOBI: case DVC_PROX: return dvci_solve_by_sweeps(task, method);
    case DVC_INTERIOR_POINT: return dvci_solve_interior(task);
    case DVC_FISCHER_NEWTON: return dvci_solve_fischer(task);
    case DVC_MINMAP_NEWTON:
        if (!dvci_diagonal_positive(task->p)) return DVC_ERROR_LCP_DIAGONAL;
        dvci_guess_modes(task);
        return dvci_solve_active_set(task, task->max_iterations > 0 ? task->max_iterations : 100);
    default: task->attempts = 0; return dvci_solve_auto(task);
    }
}

/* What was found with too little memory is not the result: it would differ from that found with enough. */
static dvc_status dvci_solve_by(dvc_solver method, dvci_task *task)
{
    dvc_status status;
    task->solved_by = method;
    task->attempts = 1;
    if (method != DVC_AUTO && method != DVC_PGS && method != DVC_PSOR && !dvci_mcp_form(task->p, task->arena))
        return DVC_ERROR_SCRATCH;
    status = dvci_run_method(method, task);
    return task->arena->failed ? DVC_ERROR_SCRATCH : status;
}

/* ---- the public face: a dense problem by rows, scaled and back ---- */

typedef struct dvci_scaled {
    dvci_mcp mcp;
    dvci_task task;
    dvc_real *row; /* (n) w~ = row w / size, z~ = z / (unit size) */
    dvc_real size;
    dvci_arena arena;
} dvci_scaled;

static void dvci_scaled_carve(dvci_scaled *s, int n, dvci_arena *arena)
{
    size_t count = (size_t)n;
    dvc_real *reals = dvci_alloc_reals(arena, 3 * count);
    dvci_mcp_carve(&s->mcp, n, arena);
    s->task.mode = dvci_alloc_modes(arena, count);
    if (!reals) return;
    s->row = dvci_cut_reals(&reals, count);
    s->task.z = dvci_cut_reals(&reals, count);
    s->task.w = reals;
}

/* Everything a method takes beyond the scaled problem. */
static void dvci_method_carve(dvc_solver method, int n, dvci_arena *arena)
{
    size_t mark, count = (size_t)n;
    dvci_active active;
    dvci_pivots pivots;
    dvci_newton newton;
    if (method == DVC_AUTO) {
        dvci_alloc_reals(arena, 6 * count); /* start, what is kept, and a sweep's */
        dvci_alloc_modes(arena, count);
    }
    mark = arena->used;
    if (method == DVC_MINMAP_NEWTON) { /* less than pivoting takes */
        dvci_active_carve(&active, n, arena);
        dvci_alloc_reals(arena, dvci_times(count, count + 1)); /* rows of the factor, below and above */
    }
    arena->used = mark;
    if (method == DVC_AUTO || method == DVC_LEMKE) {
        dvci_pivots_carve(&pivots, n, 0, arena);
        dvci_alloc_reals(arena, dvci_times(count + 1, count + 1)); /* refactoring */
        dvci_alloc_ints(arena, count + 1);
    }
    arena->used = mark;
    if (method == DVC_INTERIOR_POINT || method == DVC_FISCHER_NEWTON) dvci_newton_carve(&newton, n, arena);
    arena->used = mark;
}

/* x - x is 0 or not a number; four sums, so that compilers use vector registers. */
static bool dvci_all_finite(const dvc_real *x, size_t count)
{
    dvc_real s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    size_t k = 0;
    for (; k + 4 <= count; k += 4) {
        s0 += x[k] - x[k];
        s1 += x[k + 1] - x[k + 1];
        s2 += x[k + 2] - x[k + 2];
        s3 += x[k + 3] - x[k + 3];
    }
    for (; k < count; k++) s0 += x[k] - x[k];
    return (s0 + s1) + (s2 + s3) == 0;
}

static bool dvci_lcp_input_ok(const dvc_lcp *lcp, const dvc_real *z)
{
    size_t n;
    int i;
    if (!lcp || lcp->n < 0 || lcp->n > DVCI_MOST_ROWS || (lcp->n > 0 && (!lcp->A || !lcp->b || !z))) return false;
    n = (size_t)lcp->n;
    if (!dvci_all_finite(lcp->A, n * n) || !dvci_all_finite(lcp->b, n)) return false;
    for (i = 0; i < lcp->n && (lcp->lower || lcp->upper); i++) {
        dvc_real low = lcp->lower ? lcp->lower[i] : 0, high = lcp->upper ? lcp->upper[i] : DVC_INFINITY;
        if (!(low <= high) || low >= DVC_INFINITY || high <= -DVC_INFINITY) return false;
    }
    return true;
}

/* Powers of two, so that scaling rounds nothing. A row with a diagonal keeps its unit, its unknown is measured by the
 * diagonal: z~ = A_ii z reads as a w. One without is measured by the largest entry of its column, and its row by the
 * largest entry that results. */
static void dvci_lcp_scales(const dvc_lcp *lcp, dvc_real *row, dvc_real *column)
{
    size_t n = (size_t)lcp->n, i, j;
    for (j = 0; j < n; j++) {
        dvc_real largest = lcp->A[j * n + j];
        if (!(largest > 0))
            for (largest = 0, i = 0; i < n; i++) largest = dvci_max(largest, dvci_abs(lcp->A[i * n + j]));
        column[j] = largest > 0 ? 1 / dvci_power_of_two(largest) : 1;
    }
    for (i = 0; i < n; i++) {
        dvc_real largest = 0;
        row[i] = 1;
        if (lcp->A[i * n + i] > 0) continue;
        for (j = 0; j < n; j++) largest = dvci_max(largest, dvci_abs(lcp->A[i * n + j]) * column[j]);
        if (largest > 0) row[i] = 1 / dvci_power_of_two(largest);
    }
}

static dvc_real dvci_lcp_size(const dvc_lcp *lcp, const dvc_lcp_options *options, const dvc_real *row)
{
    dvc_real largest = options && options->scale > 0 ? options->scale : 0;
    int i;
    for (i = 0; largest == 0 && i < 1; i++)
        for (i = 0; i < lcp->n; i++) largest = dvci_max(largest, dvci_abs(lcp->b[i] * row[i]));
    return largest > 0 ? dvci_power_of_two(largest) : 1;
}

static bool dvci_lcp_is_symmetric(const dvc_lcp *lcp)
{
    size_t n = (size_t)lcp->n, i, j;
    for (i = 0; i < n; i++) {
        if (!(lcp->A[i * n + i] > 0)) return false;
        for (j = 0; j < i; j++)
            if (lcp->A[j * n + i] != lcp->A[i * n + j]) return false;
    }
    return true;
}

/* The rows of a symmetric matrix are its columns, and have their units. */
static void dvci_lcp_scale_matrix(dvci_scaled *s, const dvc_lcp *lcp)
{
    size_t n = (size_t)lcp->n, i, j;
    for (j = 0; j < n; j++) {
        dvc_real *column = s->mcp.A + j * n, unit = s->mcp.unit[j];
        const dvc_real *from = lcp->A + (s->mcp.symmetric ? j * n : j);
        if (s->mcp.symmetric) dvci_scale_n(lcp->n, unit, from, column);
        else
            for (i = 0; i < n; i++) column[i] = s->row[i] * from[i * n] * unit;
    }
}

/* All factors are powers of two: so are their inverses. */
static void dvci_lcp_scale(dvci_scaled *s, const dvc_lcp *lcp)
{
    dvc_real shrink = 1 / s->size;
    int i;
    s->mcp.symmetric = dvci_lcp_is_symmetric(lcp);
    dvci_lcp_scale_matrix(s, lcp);
    for (i = 0; i < lcp->n; i++) {
        dvc_real unit = 1 / (s->mcp.unit[i] * s->size);
        s->mcp.b[i] = s->row[i] * lcp->b[i] * shrink;
        s->mcp.lower[i] = !lcp->lower ? 0 : dvci_no_bound(lcp->lower[i]) ? -DVC_INFINITY : lcp->lower[i] * unit;
        s->mcp.upper[i] = !lcp->upper || dvci_no_bound(lcp->upper[i]) ? DVC_INFINITY : lcp->upper[i] * unit;
        s->mcp.owner[i] = -1;
        s->task.mode[i] = 0;
    }
}

static bool dvci_lcp_options_ok(dvc_solver method, const dvc_lcp_options *o)
{
    if (!dvci_is_kind((int)method, DVC_SOLVER_COUNT)) return false;
    if (!o) return true;
    return dvci_is_plain(o->tolerance) && o->max_iterations >= 0 && o->relaxation >= 0 && o->relaxation < 2
        && o->scale >= 0 && dvci_finite(o->scale);
}

/* z in the units of the scaled problem; what is not finite counts as 0. */
static void dvci_lcp_load(dvci_scaled *s, const dvc_real *z)
{
    int i;
    for (i = 0; i < s->mcp.n; i++) s->task.z[i] = dvci_finite(z[i]) ? z[i] * (1 / (s->mcp.unit[i] * s->size)) : 0;
}

/* Scaled copy of a problem and of z, ready for a method. */
static dvc_status dvci_lcp_prepare(dvci_scaled *s, dvc_solver method, const dvc_lcp *lcp, const dvc_lcp_options *options,
                                   const dvc_real *z, void *scratch, size_t scratch_size)
{
    memset(s, 0, sizeof *s);
    if (!dvci_lcp_options_ok(method, options) || !dvci_lcp_input_ok(lcp, z)) return DVC_ERROR_LCP_INPUT;
    s->arena = dvci_arena_over(scratch, scratch_size);
    dvci_scaled_carve(s, lcp->n, &s->arena);
    dvci_method_carve(method, lcp->n, &s->arena); /* a trial: all or nothing, whatever the method comes to need */
    if (s->arena.failed) return DVC_ERROR_SCRATCH;
    dvci_lcp_scales(lcp, s->row, s->mcp.unit);
    s->size = dvci_lcp_size(lcp, options, s->row);
    dvci_lcp_scale(s, lcp);
    dvci_lcp_load(s, z);
    s->task.p = &s->mcp;
    s->task.arena = &s->arena;
    s->task.rounds = true;
    s->task.tolerance = options && options->tolerance > 0 ? options->tolerance : DVCI_LCP_ACCEPT;
    s->task.relaxation = options ? options->relaxation : 0;
    s->task.max_iterations = options ? options->max_iterations : 0;
    return DVC_OK;
}

/* A row that no z >= 0 can lift above zero proves that there is no solution, whatever the matrix. */
static bool dvci_row_is_hopeless(const dvci_mcp *p)
{
    int i, j;
    for (i = 0; i < p->n; i++) {
        bool hopeless = p->b[i] < 0 && p->lower[i] == 0 && dvci_no_bound(p->upper[i]);
        for (j = 0; hopeless && j < p->n; j++) hopeless = p->lower[j] == 0 && p->owner[j] < 0 && dvci_mcp_column(p, j)[i] <= 0;
        if (hopeless) return true;
    }
    return false;
}

/* Of z as the caller has it. */
static dvc_real dvci_lcp_told(dvci_scaled *s, const dvc_real *z)
{
    dvc_real residual;
    if (!dvci_all_finite(z, (size_t)s->mcp.n)) return DVC_INFINITY;
    dvci_lcp_load(s, z);
    residual = dvci_mcp_residual(&s->task);
    return residual <= DVC_INFINITY ? residual : DVC_INFINITY;
}

DVC_API dvc_lcp_report dvc_lcp_solve(dvc_solver method, const dvc_lcp *lcp, const dvc_lcp_options *options, dvc_real *z,
                                     void *scratch, size_t scratch_size)
{
    dvc_lcp_report report;
    dvci_scaled s;
    int i;
    memset(&report, 0, sizeof report);
    report.residual = DVC_INFINITY;
    report.solved_by = method;
    report.status = dvci_lcp_prepare(&s, method, lcp, options, z, scratch, scratch_size);
    if (report.status != DVC_OK) return report;
    report.status = dvci_solve_by(method, &s.task);
    if (report.status == DVC_ERROR_SCRATCH) return report;
    for (i = 0; i < lcp->n; i++) z[i] = s.task.z[i] * s.mcp.unit[i] * s.size;
    report.residual = dvci_lcp_told(&s, z);
    report.iterations = s.task.iterations;
    report.attempts = s.task.attempts;
    report.solved_by = s.task.solved_by;
    if (!(report.residual <= s.task.tolerance) && report.status == DVC_OK) report.status = DVC_ERROR_LCP_NOT_SOLVED;
    if (report.status == DVC_ERROR_LCP_INFEASIBLE || report.status == DVC_ERROR_LCP_NOT_SOLVED)
        report.status = dvci_row_is_hopeless(&s.mcp) ? DVC_ERROR_LCP_INFEASIBLE : DVC_ERROR_LCP_NOT_SOLVED;
    return report;
}

DVC_API dvc_real dvc_lcp_residual(const dvc_lcp *lcp, const dvc_lcp_options *options, const dvc_real *z, void *scratch,
                                  size_t scratch_size)
{
    dvci_scaled s;
    if (dvci_lcp_prepare(&s, DVC_AUTO, lcp, options, z, scratch, scratch_size) != DVC_OK) return DVC_INFINITY;
    return dvci_lcp_told(&s, z);
}

DVC_API size_t dvc_lcp_scratch_size(dvc_solver method, int n)
{
    dvci_arena arena = dvci_arena_measure();
    dvci_scaled s;
    if (n < 0 || n > DVCI_MOST_ROWS || !dvci_is_kind((int)method, DVC_SOLVER_COUNT)) return 0;
    dvci_scaled_carve(&s, n, &arena);
    dvci_method_carve(method, n, &arena);
    return arena.failed ? (size_t)-1 : dvci_arena_bytes(arena.peak);
}

DVC_API const char *dvc_solver_name(dvc_solver method)
{
    switch (method) {
    case DVC_AUTO: return "auto";
    case DVC_LEMKE: return "lemke";
    case DVC_PGS: return "pgs";
    case DVC_PSOR: return "psor";
    case DVC_JACOBI: return "jacobi";
    case DVC_PROX: return "prox";
    case DVC_INTERIOR_POINT: return "interior point";
    case DVC_FISCHER_NEWTON: return "fischer-newton";
    case DVC_MINMAP_NEWTON: return "minmap-newton";
    default: return "unknown";
    }
}
/* ------------------------------------------------------------------------------------------------
 * >>solve  an island: choose, solve, check, flip, cut; then the same at the end pose
 * ------------------------------------------------------------------------------------------------
 * First with the geometry of the step's start, linearised (W's semi-implicit step):
 *
 *     choose a facet for each pair; repeat
 *         solve the ordinary Stewart-Trinkle problem of all chosen facets
 *         flip: a pair whose facet pushes although another facet is open at the end takes that one
 *         cut:  a pair none of whose facets is open gets the worst vertex of its facet as one more point
 *     until nothing changes
 *
 * A solution that passes satisfies every disjunction exactly, with forces on touching contacts only. Then, unless the
 * world is semi_implicit, the gaps are measured where the bodies really end, rotation included, and each point's row and
 * rate are replaced by the true ones there (the force keeps the direction it has at the start, so that momentum is kept);
 * few Newton rounds bring the gaps at the true end pose to zero. An island that does not get there is redone in two half
 * steps.
 */

#define DVCI_ROUNDS 30
#define DVCI_ROUGH_ROUNDS 2 /* where a problem is not solved to tolerance, */
#define DVCI_LARGE_ROUNDS 1 /* or an island is too large to try */
#define DVCI_END_ROUNDS 7
#define DVCI_CUTS 24
#define DVCI_SWITCHES 6
#define DVCI_HALVINGS 4
#define DVCI_GAIN_MOST (DVCI_DOUBLE ? DVCI_R(2e-5) : DVCI_R(1e-3)) /* energy gained, as a part of what is at work, from which on half steps are worth it */
#define DVCI_STIR DVCI_R(1e-3) /* of V: motion of which no gain is looked for */
#define DVCI_PUSH_LEVEL 1 /* halvings before jammed bodies are pushed out */
#define DVCI_SHARES 4 /* in which overlap is left that could only be made good by gaining energy */
#define DVCI_GAIN (DVCI_DOUBLE ? DVCI_R(1e-6) : DVCI_R(1e-4)) /* of energy, that rounding and linearising may make */

/* Of the group's facets, or the spare one behind them. */
static dvci_facet *dvci_chosen_facet(const dvci_step *s, const dvci_group *g)
{
    DVC_ASSERT(g->chosen >= 0 && g->chosen <= g->count && g->first + g->chosen < 2 * s->world->contact_capacity + 2);
    return &s->facets[g->first + g->chosen];
}

static bool dvci_point_counts(const dvci_step *s, const dvci_point *point)
{
    return s->world->time_stepping != DVC_ANITESCU_POTRA || point->gap <= DVCI_GAP_CHECK * s->groups[point->group].size;
}

/* No point of the island is enforced. */
static void dvci_clear_enforced(dvci_step *s, const dvci_island *island, int first_cut)
{
    int i, k;
    for (i = 0; i < island->group_count; i++) {
        const dvci_group *g = dvci_island_group(s, island, i);
        const dvci_facet *last = &s->facets[g->first + g->count - 1];
        for (k = s->facets[g->first].first; k < last->first + last->count; k++) s->points[k].enforced = false;
    }
    for (k = first_cut; k < s->point_count; k++) s->points[k].enforced = false;
}

/* The points of all chosen facets, in the order of the groups, with the points that cuts have added. */
static int dvci_collect_points(dvci_step *s, const dvci_island *island, int first_cut, int *list)
{
    int i, k, count = 0;
    for (i = 0; i < island->group_count; i++) {
        const dvci_group *g = dvci_island_group(s, island, i);
        const dvci_facet *facet = dvci_chosen_facet(s, g), *last = g->literal ? &s->facets[g->first + g->count - 1] : facet;
        if (g->sensor || g->released) continue;
        for (k = facet->first; k < last->first + last->count; k++)
            if (dvci_point_counts(s, &s->points[k])) list[count++] = k;
        for (k = first_cut; g->cuts > 0 && k < s->point_count; k++)
            if (s->points[k].group == g - s->groups && s->points[k].facet == g->chosen) list[count++] = k;
    }
    dvci_clear_enforced(s, island, first_cut);
    for (i = 0; i < count; i++) s->points[list[i]].enforced = !dvci_point_is_slack(s, &s->points[list[i]]);
    return count;
}

static dvc_real dvci_facet_push(const dvci_step *s, const dvci_group *g, int first_cut)
{
    const dvci_facet *facet = dvci_chosen_facet(s, g);
    dvc_real sum = 0;
    int k;
    for (k = facet->first; k < facet->first + facet->count; k++) sum += s->points[k].enforced ? s->points[k].impulse : 0;
    for (k = first_cut; g->cuts > 0 && k < s->point_count; k++)
        if (s->points[k].group == g - s->groups && s->points[k].enforced) sum += s->points[k].impulse;
    return sum;
}

/* For a pair that overlaps, or may move by its size, a facet so deep that it cannot be made good in this step is no
 * alternative, unless the whole pair is that deep. */
static bool dvci_facet_is_gone(const dvci_group *g, const dvci_facet *facet)
{
    return (g->fast || g->gap < -DVCI_GAP_CHECK * g->size) && g->gap >= g->gone && facet->gap < g->gone;
}

/* Another facet that is open at the end while the chosen one pushes; -1: none. A facet that is overlapped at the start
 * gives way to one that was not and still is not: it was chosen for a motion that has not come. */
static int dvci_better_facet(const dvci_step *s, const dvci_group *g)
{
    dvci_motion_pair now = dvci_group_motion(s, g, DVCI_NOW);
    dvc_real tolerance = dvci_max(DVCI_GAP_CHECK * g->size, g->rounding), best = tolerance;
    bool overlapped = dvci_chosen_facet(s, g)->gap < -tolerance;
    int f, found = -1;
    for (f = 0; f < g->count; f++) {
        const dvci_facet *facet = &s->facets[g->first + f];
        dvc_real value;
        if (f == g->chosen || dvci_facet_is_gone(g, facet)) continue;
        value = dvci_facet_value(s, &now, facet, s->h);
        if (found < 0 && overlapped && facet->gap >= -tolerance) best = dvci_min(best, -tolerance);
        if (value > best) value = dvci_min(value, dvci_points_value(s, &now, facet));
        if (value > best) { best = value; found = f; }
    }
    return found;
}

/* ---- W's constraints after a solution ----
 * (4.14) forbids overlap, but not that the force stands on a sub-contact that is violated while another one is closed: that is
 * a second solution beside the one that is meant (4.9: only the active contact pushes). The closed one becomes the primary, and
 * all is solved again. So it is, without them, if constraints push although the bodies end apart: disjunctions of single
 * features ask for more than geometry does where an edge ends before it crosses the other one. What is left is told.
 */

/* Gap in which the primary ends, linearised, less what it was to end in; 0: it does not push. */
static dvc_real dvci_literal_fault(const dvci_step *s, const dvci_group *g)
{
    const dvci_point *primary = &s->points[s->facets[g->first].first];
    dvci_motion_pair now;
    if (!g->literal || g->released || !primary->enforced || !(primary->impulse > 0) || primary->bounces
        || s->world->time_stepping == DVC_ANITESCU_POTRA)
        return 0;
    now = dvci_group_motion(s, g, DVCI_NOW);
    return dvci_point_value(&now, primary, s->h) - dvci_point_forgiven(g, primary);
}

/* The sub-contact of facet f is the primary from now on. */
static void dvci_elect_primary(dvci_step *s, dvci_group *g, int f)
{
    dvci_facet *first = &s->facets[g->first], *other = &s->facets[g->first + f], keep = *first;
    dvci_point *a = &s->points[first->first], *b = &s->points[other->first], point = *a;
    DVC_ASSERT(f > 0 && f < g->count && first->count == 1 && other->count == 1);
    *first = *other;
    first->first = keep.first;
    keep.first = other->first;
    *other = keep;
    *a = *b;
    *b = point;
    a->facet = 0;
    b->facet = f;
}

/* Elects another primary, the sub-contact that is most open, where the force stands on a violated one. False: there is no need. */
static bool dvci_elect_again(dvci_step *s, dvci_group *g)
{
    dvci_motion_pair now = dvci_group_motion(s, g, DVCI_NOW);
    dvc_real best = -DVC_INFINITY;
    int f, found = 0;
    if (g->switches + 1 >= dvci_imin(g->count, DVCI_SWITCHES)
        || dvci_abs(dvci_literal_fault(s, g)) <= DVCI_GAP_CHECK * g->size)
        return false;
    for (f = 1; f < g->count; f++) {
        dvc_real value = dvci_point_value(&now, &s->points[s->facets[g->first + f].first], s->h);
        if (value > best) { best = value; found = f; }
    }
    dvci_elect_primary(s, g, found);
    g->switches++;
    return true;
}

/* Flips at most `most` pairs; returns how many wanted to. */
static int dvci_flip_facets(dvci_step *s, const dvci_island *island, int first_cut, int most)
{
    int i, wanted = 0;
    for (i = 0; i < island->group_count; i++) {
        dvci_group *g = dvci_island_group(s, island, i);
        int better;
        if (g->literal && most > 0 && dvci_elect_again(s, g)) {
            wanted++;
            s->report.flips++;
        }
        if (g->count < 2 || g->sensor || g->literal || g->bounces || !(dvci_facet_push(s, g, first_cut) > 0)) continue;
        better = dvci_better_facet(s, g);
        if (better < 0 || wanted++ >= most) continue;
        g->chosen = better;
        s->report.flips++;
    }
    return wanted;
}

static bool dvci_has_point(const dvci_step *s, const dvci_group *g, int first_cut, dvc_feature a, dvc_feature b)
{
    const dvci_facet *facet = dvci_chosen_facet(s, g);
    int k;
    for (k = facet->first; k < facet->first + facet->count; k++)
        if (s->points[k].feature_a == a && s->points[k].feature_b == b) return true;
    for (k = first_cut; k < s->point_count; k++)
        if (s->points[k].group == g - s->groups && s->points[k].facet == g->chosen && s->points[k].feature_a == a
            && s->points[k].feature_b == b)
            return true;
    return false;
}

/* A new point belongs to the chosen facet. NULL: there is no such point, or no room for it. */
static bool dvci_keep_cut(dvci_step *s, dvci_group *g, dvci_point *point)
{
    if (!point) {
        if (s->points_over > 0) s->status = DVC_ERROR_CONTACTS;
        return false;
    }
    point->facet = g->chosen;
    point->cut = true;
    dvci_point_tangents(s, point, NULL);
    dvci_point_start_row(s, point);
    g->cuts++;
    s->report.cuts++;
    return true;
}

/* One more point for the chosen facet: the given vertex against its face. */
static bool dvci_add_cut(dvci_step *s, dvci_group *g, int first_cut, int side, int face, int vertex)
{
    dvci_couple c;
    dvc_feature on_face = DVC_FEATURE(DVC_FACE, face), on_vertex = DVC_FEATURE(DVC_VERTEX, vertex);
    dvci_set_couple(&c, s, g, false);
    if (g->cuts >= DVCI_CUTS
        || dvci_has_point(s, g, first_cut, side == 0 ? on_face : on_vertex, side == 0 ? on_vertex : on_face))
        return false;
    return dvci_keep_cut(s, g, dvci_add_vertex_point(&c, side, face, vertex));
}

/* The better of the chosen facet's planes and its worst vertex, under the current velocity. */
static bool dvci_cut_plane(dvci_step *s, dvci_group *g, int first_cut)
{
    const dvci_facet *facet = dvci_chosen_facet(s, g);
    dvci_motion_pair now = dvci_group_motion(s, g, DVCI_NOW);
    int vertex_a = 0, vertex_b = 0;
    dvc_real a = facet->face_a >= 0 ? dvci_face_value(&now, 0, facet->face_a, s->h, &vertex_a) : -DVC_INFINITY;
    dvc_real b = facet->face_b >= 0 ? dvci_face_value(&now, 1, facet->face_b, s->h, &vertex_b) : -DVC_INFINITY;
    if (facet->face_a < 0 && facet->face_b < 0) return false;
    return a >= b ? dvci_add_cut(s, g, first_cut, 0, facet->face_a, vertex_a)
                  : dvci_add_cut(s, g, first_cut, 1, facet->face_b, vertex_b);
}

/* Pairs that no facet keeps apart, though not forgiven; those whose facet can be cut are. `open` counts the others. */
static int dvci_cut_facets(dvci_step *s, const dvci_island *island, int first_cut, bool only_count, int *open)
{
    int i, f, cuts = 0;
    *open = 0;
    for (i = 0; i < island->group_count; i++) {
        dvci_group *g = dvci_island_group(s, island, i);
        dvc_real best = -DVC_INFINITY, allowed = -dvci_max(DVCI_GAP_CHECK * g->size, g->rounding);
        dvci_motion_pair now;
        if (g->sensor || g->own || g->released || g->gap < g->gone || s->world->time_stepping == DVC_ANITESCU_POTRA) continue;
        now = dvci_group_motion(s, g, DVCI_NOW);
        best = dvci_facet_value_until(s, &now, dvci_chosen_facet(s, g), s->h, allowed);
        for (f = 0; f < g->count && best < allowed; f++)
            best = dvci_max(best, dvci_facet_value(s, &now, &s->facets[g->first + f], s->h));
        if (best >= allowed) continue;
        if (!only_count && dvci_cut_plane(s, g, first_cut)) cuts++;
        else ++*open;
    }
    return cuts;
}

/* A number for which facets are chosen and how often was cut: a repeat means a cycle. */
static uint32_t dvci_choice_hash(const dvci_step *s, const dvci_island *island)
{
    uint32_t hash = 2166136261u;
    int i;
    for (i = 0; i < island->group_count; i++) {
        const dvci_group *g = dvci_island_group(s, island, i);
        hash = (hash ^ (uint32_t)(g->chosen + 64 * g->cuts + (g->literal ? 4096 * g->switches : 0))) * 16777619u;
    }
    return hash;
}

typedef struct dvci_attempt {
    bool exact;        /* every disjunction satisfied, every problem solved to tolerance by a regular method */
    bool fallback;
    bool forgiving;    /* overlap of the start need not be undone */
    dvc_real forgiven; /* the deepest of it, per size */
    bool jammed;       /* only true slips or less gave a solution */
    bool pushed;       /* out of a jam, without friction */
    dvc_real residual;
    dvci_work work;    /* of all that acts */
    int open;          /* disjunctions left open */
    bool dependent;    /* rows depend on each other */
    bool approximate;  /* too large to be solved to tolerance whatever it costs */
} dvci_attempt;

static bool dvci_is_unsolved(const dvci_solution *solution)
{
    return solution->status != DVC_OK && solution->status != DVC_ERROR_SCRATCH;
}

static void dvci_note_solution(dvci_attempt *attempt, const dvci_solution *solution)
{
    attempt->residual = solution->residual;
    attempt->exact = solution->status == DVC_OK;
    attempt->approximate = attempt->approximate || solution->approximate;
    attempt->dependent = solution->dependent || solution->status != DVC_OK;
    attempt->fallback = attempt->fallback || solution->other_method || solution->status != DVC_OK;
}

/* Bodies that are jammed cannot be pushed apart, nor go on tumbling as they would freely. Then the overlap they start with
 * may stay, but not grow, and the gyroscopic turn is left to the end pose: now rest is a solution where the surroundings
 * rest, and Lemke's method finds one. False: there was nothing to forgive, or it is forgiven already. */
static bool dvci_forgive_overlap(dvci_step *s, const dvci_island *island, int first_cut, dvci_attempt *attempt)
{
    bool any = false;
    int i, f, k;
    if (attempt->forgiving || s->world->contact_model != DVC_PEG) return false; /* the literature's models do not */
    for (i = 0; i < island->body_count; i++) {
        any = any || !dvci_zero_vec(dvci_island_body(s, island, i)->gyro);
        dvci_island_body(s, island, i)->gyro = dvci_vec(0, 0, 0);
    }
    for (i = 0; i < island->group_count; i++) {
        dvci_group *g = dvci_island_group(s, island, i);
        g->strict = g->gone;
        g->gone = 0;
        attempt->forgiven = dvci_max(attempt->forgiven, -g->gap / g->size);
        for (f = g->first; f < g->first + g->count; f++)
            for (k = s->facets[f].first; k < s->facets[f].first + s->facets[f].count; k++) {
                any = any || s->points[k].gap < 0;
                if (f == g->first + g->chosen) attempt->forgiven = dvci_max(attempt->forgiven, -s->points[k].gap / g->size);
                dvci_point_start_row(s, &s->points[k]);
            }
    }
    for (k = first_cut; k < s->point_count; k++) dvci_point_start_row(s, &s->points[k]);
    attempt->forgiving = any;
    return any;
}

/* The chosen facets' problem, at first as in the step before, in the end by giving in: to overlap that is there, then to a little
 * more. */
static void dvci_solve_chosen(dvci_step *s, const dvci_island *island, int first_cut, bool first, dvci_attempt *attempt)
{
    int count = dvci_collect_points(s, island, first_cut, s->list);
    dvci_solution solution;
    if (first && dvci_goes_on(s, island, s->list, count, &solution)) dvci_count_solution(s, &solution);
    else solution = dvci_solve_points(s, island, s->list, count, true);
    if (dvci_is_unsolved(&solution) && dvci_forgive_overlap(s, island, first_cut, attempt)) {
        solution = dvci_solve_points(s, island, s->list, count, true);
        solution.other_method = true;
    }
    if (dvci_is_unsolved(&solution)) solution = dvci_solve_compliant(s, island, s->list, count);
    if (solution.approximate) dvci_stand_still(s, island, first_cut, s->list, count, &solution);
    dvci_note_solution(attempt, &solution);
}

/* Rounds that an inexact solution is worth. */
static int dvci_rough_rounds(const dvci_island *island)
{
    return island->large ? DVCI_LARGE_ROUNDS : DVCI_ROUGH_ROUNDS;
}

/* The linearised step. The last round only counts what it leaves open. */
DVCI_APART static dvci_attempt dvci_solve_linearised(dvci_step *s, const dvci_island *island, int first_cut)
{
    dvci_attempt attempt;
    uint32_t seen[DVCI_ROUNDS];
    int round, i;
    memset(&attempt, 0, sizeof attempt);
    for (i = 0; i < island->group_count; i++) dvci_choose_facet(s, dvci_island_group(s, island, i));
    for (round = 0; round < DVCI_ROUNDS; round++) {
        bool repeated = false, last;
        int changes;
        dvci_solve_chosen(s, island, first_cut, round == 0, &attempt);
        if (s->status != DVC_OK) return attempt;
        last = round + 1 >= (attempt.approximate ? dvci_rough_rounds(island) : DVCI_ROUNDS);
        seen[round] = dvci_choice_hash(s, island);
        for (i = 0; i < round; i++) repeated = repeated || seen[i] == seen[round];
        changes = dvci_flip_facets(s, island, first_cut, last ? 0 : round >= 6 || repeated ? 1 : island->group_count);
        if (changes == 0) changes = dvci_cut_facets(s, island, first_cut, last, &attempt.open);
        if (last) attempt.open += changes;
        if (changes == 0 || last || s->status != DVC_OK) break;
    }
    return attempt;
}

/* ------------------------------------------------------------------------------------------------
 * >>end  gaps at the true end pose
 * ------------------------------------------------------------------------------------------------
 * What remains of overlap in a linearised step is rotation (W 5.3). So the bodies are moved to where they end, every gap is
 * measured there, and each enforced point gets the row and rate of its true gap there:
 *
 *     true gap + h row+ (nu - nu_now) >= what the start has left to be forgiven
 *
 * both ways, so that a contact neither overlaps nor pushes from a distance. The force keeps its direction of the start:
 * momentum and angular momentum stay exact. Pairs that turn out deep along an axis that no point sees get one more point,
 * or the facet of that axis.
 */

/* The part turned with its body to the end of the step; parts of bodies that do not turn share the start's arrays. */
static void dvci_part_turn(const dvci_part *start, const dvci_body *body, dvci_part *end, dvc_vec3 *vertices, dvc_vec3 *normals)
{
    int i;
    *end = *start;
    if (dvci_zero_vec(body->displacement)) return;
    end->vertices = vertices;
    end->normals = normals;
    for (i = 0; i < start->vertex_count; i++) vertices[i] = dvci_mul(body->end.turn, start->vertices[i]);
    for (i = 0; i < start->face_count; i++) normals[i] = dvci_mul(body->end.turn, start->normals[i]);
    dvci_bound_part(end);
    end->centre = dvci_mul(body->end.turn, start->centre);
}

/* A part at its body's end pose; static ones are there from the beginning, for all threads. */
static void dvci_turn_part(dvci_step *s, int part)
{
    const dvci_part *start = &s->parts[part];
    dvci_part_meet(s, part);
    if (s->bodies[start->body].fixed) return;
    dvci_part_turn(start, &s->bodies[start->body], &s->ends[part], s->end_vertices[part], s->end_normals[part]);
    s->ends[part].turned = true;
}

/* The parts of those of these groups (NULL: of the first ones) that are not measured, each once. */
static void dvci_turn_groups(dvci_step *s, const int *list, int count)
{
    int i, k;
    for (i = 0; i < count; i++) {
        const dvci_group *g = &s->groups[list ? list[i] : i];
        for (k = 0; k < 2; k++) {
            int part = k ? g->part_b : g->part_a;
            if (!s->bodies[s->parts[part].body].fixed) s->ends[part].turned = false;
        }
    }
    for (i = 0; i < count; i++) {
        const dvci_group *g = &s->groups[list ? list[i] : i];
        for (k = 0; !g->measured && k < 2; k++)
            if (!s->ends[k ? g->part_b : g->part_a].turned) dvci_turn_part(s, k ? g->part_b : g->part_a);
    }
}

/* Bodies of the island and their parts at the end pose. */
static void dvci_move_island(dvci_step *s, const dvci_island *island)
{
    int i;
    for (i = 0; i < island->body_count; i++) dvci_body_move(dvci_island_body(s, island, i), s->h);
    for (i = 0; i < island->group_count; i++) {
        dvci_group *g = dvci_island_group(s, island, i);
        g->searched = g->measured = false;
    }
    dvci_turn_groups(s, s->island_groups + island->first_group, island->group_count);
}

/* Do the parts have these features, and can they meet? A contact of the last step may tell of a shape that is another by now. */
static bool dvci_has_features(const dvci_couple *c, dvc_feature on_a, dvc_feature on_b)
{
    unsigned kind[2];
    int k;
    kind[0] = DVC_FEATURE_KIND(on_a);
    kind[1] = DVC_FEATURE_KIND(on_b);
    for (k = 0; k < 2; k++) {
        const dvci_part *part = c->part[k];
        int count = kind[k] == DVC_FACE ? part->face_count : kind[k] == DVC_EDGE ? part->edge_count
                  : kind[k] == DVC_VERTEX ? part->vertex_count : 0;
        if (DVC_FEATURE_INDEX(k ? on_b : on_a) >= count) return false;
        if (kind[k] == DVC_FACE && kind[1 - k] != DVC_VERTEX) return false;
    }
    return true;
}

/* Gap, normal and place (relative to body 0) of two features where the bodies are; false if they have none there. */
static bool dvci_measure_features(const dvci_couple *c, const dvci_point *point, dvc_real *gap, dvc_vec3 *normal, dvc_vec3 *at)
{
    unsigned kind_a = DVC_FEATURE_KIND(point->feature_a), kind_b = DVC_FEATURE_KIND(point->feature_b);
    int a = DVC_FEATURE_INDEX(point->feature_a), b = DVC_FEATURE_INDEX(point->feature_b);
    dvc_vec3 p, q, u, v;
    dvc_real s, t;
    if (kind_a == DVCI_OWN) {
        *gap = dvci_own_gap(c->s, point);
        *normal = point->normal;
        *at = dvci_mul(c->s->bodies[c->part[0]->body].end.turn, point->arm_a);
        return true;
    }
    DVC_ASSERT(dvci_has_features(c, point->feature_a, point->feature_b));
    if (kind_a == DVC_FACE || kind_b == DVC_FACE) {
        int side = kind_a == DVC_FACE ? 0 : 1, face = side == 0 ? a : b, vertex = side == 0 ? b : a;
        *gap = dvci_vertex_gap(c, side, face, vertex);
        *normal = side == 0 ? c->part[0]->normals[face] : dvci_neg(c->part[1]->normals[face]);
        *at = side == 0 ? dvci_add(c->part[1]->vertices[vertex], c->d) : c->part[0]->vertices[vertex];
        return true;
    }
    if (kind_a == DVC_EDGE && kind_b == DVC_EDGE) {
        u = dvci_edge_vector(c->part[0], a, &p);
        v = dvci_edge_vector(c->part[1], b, &q);
        q = dvci_add(q, c->d);
        if (!dvci_cross_lines(p, u, q, v, &s, &t)) return false;
        *normal = dvci_unit(dvci_cross(u, v));
        if (dvci_dot(*normal, point->normal) < 0) *normal = dvci_neg(*normal);
        p = dvci_madd(p, u, s);
        *gap = dvci_dot(*normal, dvci_sub(dvci_madd(q, v, t), p));
        *at = p;
        return true;
    }
    dvci_feature_places(c, point->feature_a, point->feature_b, &p, &q);
    *gap = dvci_round_gap(c, p, q, point->normal, normal);
    *at = dvci_madd(p, *normal, c->part[0]->skin);
    return true;
}

/* True gap of a facet where the bodies are, or the first found that is `enough`. */
static dvc_real dvci_facet_gap(const dvci_couple *c, const dvci_facet *f, dvc_real enough)
{
    dvc_real value = -DVC_INFINITY;
    const dvci_point *point = &c->s->points[f->first];
    dvc_vec3 p, q, u, v, n;
    int i, vertex;
    DVC_ASSERT(f->first >= 0 && f->first < c->s->point_count);
    if (f->single) {
        dvc_real gap;
        dvc_vec3 at;
        if (!dvci_measure_features(c, point, &gap, &n, &at)) return value;
        return DVC_FEATURE_KIND(point->feature_a) == DVCI_OWN ? gap : dvci_gap_along(c, n);
    }
    if (f->face_a >= 0) value = dvci_face_gap(c, 0, f->face_a, &vertex);
    if (f->face_b >= 0 && value < enough) value = dvci_max(value, dvci_face_gap(c, 1, f->face_b, &vertex));
    for (i = 0; i < f->edge_count && value < enough; i++) {
        u = dvci_edge_vector(c->part[0], f->edge_a[i], &p);
        v = dvci_edge_vector(c->part[1], f->edge_b[i], &q);
        n = dvci_cross(u, v);
        if (!(dvci_dot(n, n) > DVCI_R(1e-6) * dvci_dot(u, u) * dvci_dot(v, v))) continue;
        n = dvci_unit(n);
        if (dvci_dot(n, point->normal) < 0) n = dvci_neg(n);
        value = dvci_max(value, dvci_gap_along(c, n));
    }
    return value;
}

/* How far a solution is from complementarity at the end pose. */
typedef struct dvci_distance {
    dvc_real over;   /* deepest overlap not forgiven, per size */
    dvc_real under;  /* largest gap under a contact that pushes, per size */
    dvc_real off;    /* largest fault of a joint, rad or per size */
} dvci_distance;

static dvc_real dvci_distance_sum(const dvci_distance *d) { return d->over + d->under + d->off; }

/* How a correction sees a point at the end pose: only its gap; its row there (Newton); where that problem has no solution, its
 * row at the start (the problem is that of an ordinary step; the corrections shrink more slowly); where bodies are jammed, true
 * slip as well as true gaps, and overlap forgiven; last, gaps to be pushed open. */
typedef enum dvci_view { DVCI_GAP_ONLY, DVCI_ROW_AT_END, DVCI_ROW_AT_START, DVCI_ROW_FORGIVING, DVCI_ROW_PUSHING } dvci_view;

/* True displacement of the bodies' material at the point against each other, less what their velocities say, per h. */
static dvc_vec3 dvci_point_bend(const dvci_step *s, const dvci_body *a, const dvci_body *b, const dvci_point *point)
{
    const dvci_body *body[2];
    dvc_vec3 bend = dvci_vec(0, 0, 0);
    int k;
    body[0] = a;
    body[1] = b;
    for (k = 0; k < 2; k++) {
        dvc_vec3 arm = k ? point->arm_b : point->arm_a, way = dvci_sub(dvci_mul(body[k]->end.turn, arm), arm);
        way = dvci_sub(dvci_scale(way, 1 / s->h), dvci_cross(dvci_add(body[k]->w, body[k]->gyro), arm));
        bend = k ? dvci_add(bend, way) : dvci_sub(bend, way);
    }
    return bend;
}

/* Gap, row and rate of a point at the end pose. The force keeps its direction. */
static bool dvci_point_end_row(dvci_step *s, const dvci_couple *c, dvci_point *point, dvci_view view)
{
    const dvci_group *g = &s->groups[point->group];
    const dvci_body *a = &s->bodies[c->part[0]->body], *b = &s->bodies[c->part[1]->body];
    dvc_vec3 normal, at;
    if (!dvci_measure_features(c, point, &point->end_gap, &normal, &at)) return false;
    if (view == DVCI_GAP_ONLY) return true;
    if (point->bounces && point->end_gap < dvci_point_forgiven(g, point) - DVCI_GAP_END * g->size)
        point->bounces = false; /* its own turn takes more than the bounce gives: the gap decides */
    if (point->bounces) {
        dvci_point_start_row(s, point);
        if (view == DVCI_ROW_PUSHING) point->rate = 0;
        return true;
    }
    if (view == DVCI_ROW_AT_END) {
        point->row_a = dvci_tmul(a->lever, dvci_neg(dvci_cross(at, normal)));
        point->row_b = dvci_tmul(b->lever, dvci_cross(dvci_sub(at, c->d), normal));
    } else {
        normal = point->normal;
        point->row_a = dvci_neg(dvci_cross(point->arm_a, normal));
        point->row_b = dvci_cross(point->arm_b, normal);
    }
    point->row_v = normal;
    point->bend = view == DVCI_ROW_FORGIVING ? dvci_point_bend(s, a, b, point) : dvci_vec(0, 0, 0);
    point->rate = (point->end_gap - dvci_point_forgiven(g, point)) / s->h;
    if (view == DVCI_ROW_PUSHING) return true;
    if (a->dynamic) point->rate += dvci_dot(normal, a->v) - dvci_dot(point->row_a, dvci_add(a->w, a->gyro));
    if (b->dynamic) point->rate -= dvci_dot(normal, b->v) + dvci_dot(point->row_b, dvci_add(b->w, b->gyro));
    return true;
}

/* Measures the group's enforced points and how far one of them pushes across a gap, per size. */
static dvc_real dvci_measure_points(dvci_step *s, const dvci_group *g, const dvci_couple *c, int first_cut)
{
    const dvci_facet *facet = dvci_chosen_facet(s, g);
    dvc_real under = 0;
    int pass, k;
    for (pass = 0; pass < (g->cuts > 0 ? 2 : 1); pass++)
        for (k = pass ? first_cut : facet->first; k < (pass ? s->point_count : facet->first + facet->count); k++) {
            dvci_point *point = &s->points[k];
            if (point->group != g - s->groups || !point->enforced) continue;
            if (dvci_point_end_row(s, c, point, DVCI_GAP_ONLY) && point->impulse > 0 && !point->bounces)
                under = dvci_max(under, (point->end_gap - dvci_point_forgiven(g, point)) / g->size);
        }
    return under;
}

/* How deep the pair is beyond what is forgiven, per size: first by its chosen facet, then by all, then by the whole geometry. */
static dvc_real dvci_pair_over(dvci_step *s, dvci_group *g, dvci_couple *c)
{
    dvc_real allowed = dvci_forgiven(g), enough = allowed - DVCI_GAP_END * g->size / 2, gap;
    int f;
    gap = dvci_facet_gap(c, dvci_chosen_facet(s, g), enough);
    for (f = 0; f < g->count && gap < enough; f++) gap = dvci_max(gap, dvci_facet_gap(c, &s->facets[g->first + f], enough));
    if (gap < enough && !g->own) gap = dvci_max(gap, dvci_best_axis(c, enough).gap);
    g->searched = gap < enough;
    g->end_gap = gap;
    return dvci_max(0, allowed - gap) / g->size;
}

/* True gap of a facet, or of the worst of its points. */
static dvc_real dvci_facet_and_points_gap(const dvci_step *s, const dvci_couple *c, const dvci_facet *facet)
{
    dvc_real gap = dvci_facet_gap(c, facet, DVC_INFINITY), at_point;
    dvc_vec3 normal, at;
    int k;
    for (k = facet->first; k < facet->first + facet->count; k++)
        if (dvci_measure_features(c, &s->points[k], &at_point, &normal, &at)) gap = dvci_min(gap, at_point);
    return gap;
}

/* The other facet with the largest true gap above `best`, of its points, too. -1: none. */
static int dvci_best_other_facet(const dvci_step *s, const dvci_group *g, const dvci_couple *c, dvc_real best)
{
    int f, found = -1;
    for (f = 0; f < g->count; f++) {
        const dvci_facet *facet = &s->facets[g->first + f];
        dvc_real gap;
        if (f == g->chosen || dvci_facet_is_gone(g, facet)) continue;
        gap = dvci_facet_and_points_gap(s, c, facet);
        if (gap > best) { best = gap; found = f; }
    }
    return found;
}

/* Does an enforced point of the group see at least half of the overlap? Then the next solve will mend it. */
static bool dvci_overlap_is_seen(const dvci_step *s, const dvci_group *g, int first_cut)
{
    const dvci_facet *facet = dvci_chosen_facet(s, g);
    dvc_real deepest = 0;
    int k;
    for (k = facet->first; k < facet->first + facet->count; k++)
        if (s->points[k].enforced) deepest = dvci_min(deepest, s->points[k].end_gap - dvci_point_forgiven(g, &s->points[k]));
    for (k = first_cut; g->cuts > 0 && k < s->point_count; k++)
        if (s->points[k].group == g - s->groups && s->points[k].enforced)
            deepest = dvci_min(deepest, s->points[k].end_gap - dvci_point_forgiven(g, &s->points[k]));
    return -deepest >= g->over * g->size / 2;
}

/* Is this axis the one the chosen facet stands for? */
static bool dvci_axis_is_chosen(const dvci_step *s, const dvci_group *g, const dvci_axis *axis)
{
    const dvci_facet *facet = dvci_chosen_facet(s, g);
    const dvci_point *point = &s->points[facet->first];
    if (axis->side == 0) return facet->face_a == axis->a && facet->face_b < 0;
    if (axis->side == 1) return facet->face_b == axis->a && facet->face_a < 0;
    if (axis->side == 2)
        return facet->face_a < 0 && facet->face_b < 0 && facet->edge_count == 1 && facet->edge_a[0] == axis->a
               && facet->edge_b[0] == axis->b;
    return facet->single && point->feature_a == axis->feature_a && point->feature_b == axis->feature_b;
}

/* Points of the new spare facet: the crossing of its edges, its rounded features, or whatever is below its plane. */
static void dvci_add_axis_points(dvci_step *s, dvci_group *g, const dvci_couple *end, int first_cut, const dvci_axis *axis)
{
    dvci_couple c;
    int i, lowest;
    dvci_set_couple(&c, s, g, false);
    if (axis->side < 2) {
        dvci_face_gap(end, axis->side, axis->a, &lowest);
        for (i = 0; i < c.part[1 - axis->side]->vertex_count; i++)
            if (i == lowest || dvci_vertex_gap(end, axis->side, axis->a, i) < 0)
                dvci_add_cut(s, g, first_cut, axis->side, axis->a, i);
    } else if (axis->side == 2) {
        dvc_vec3 p, q,
            n = dvci_unit(dvci_cross(dvci_edge_vector(c.part[0], axis->a, &p), dvci_edge_vector(c.part[1], axis->b, &q))),
            at_end;
        dvc_real gap;
        dvci_edge_pair(end, axis->a, axis->b, &at_end, &gap);
        if (g->cuts < DVCI_CUTS
            && !dvci_has_point(s, g, first_cut, DVC_FEATURE(DVC_EDGE, axis->a), DVC_FEATURE(DVC_EDGE, axis->b)))
            dvci_keep_cut(s, g, dvci_add_edge_point(&c, axis->a, axis->b, dvci_dot(n, at_end) < 0 ? dvci_neg(n) : n,
                                                    s->point_count));
    } else {
        dvci_keep_cut(s, g, dvci_add_round_point(&c, axis->feature_a, axis->feature_b));
    }
}

/* The axis' normal at the end pose, from part 0 to part 1. */
static dvc_vec3 dvci_axis_normal(const dvci_couple *end, const dvci_axis *axis)
{
    dvc_vec3 n = dvci_vec(0, 0, 0), p, q;
    dvc_real gap;
    if (axis->side == 0) return end->part[0]->normals[axis->a];
    if (axis->side == 1) return dvci_neg(end->part[1]->normals[axis->a]);
    if (axis->side == 2) {
        dvci_edge_pair(end, axis->a, axis->b, &n, &gap);
        return n;
    }
    dvci_feature_places(end, axis->feature_a, axis->feature_b, &p, &q);
    return dvci_unit(dvci_sub(q, p));
}

/* Is the axis nearly parallel to what the chosen facet holds? Then both hold together, as two faces that are flush do. */
static bool dvci_axis_is_flush(const dvci_step *s, const dvci_group *g, const dvci_couple *end, int first_cut,
                               const dvci_axis *axis)
{
    const dvci_facet *facet = dvci_chosen_facet(s, g);
    const dvci_point *point = facet->count > 0 ? &s->points[facet->first] : NULL;
    dvc_vec3 normal, at;
    dvc_real gap;
    int k;
    for (k = first_cut; !point && k < s->point_count; k++)
        if (s->points[k].group == g - s->groups && s->points[k].facet == g->chosen) point = &s->points[k];
    if (!point || axis->side == 3 || !dvci_measure_features(end, point, &gap, &normal, &at)) return false;
    return dvci_dot(normal, dvci_axis_normal(end, axis)) >= g->cosine;
}

/* The chosen facet takes in the axis. */
static void dvci_join_axis(dvci_step *s, dvci_group *g, const dvci_couple *end, int first_cut, const dvci_axis *axis)
{
    dvci_facet *facet = dvci_chosen_facet(s, g);
    if (axis->side == 0 && facet->face_a < 0) facet->face_a = axis->a;
    if (axis->side == 1 && facet->face_b < 0) facet->face_b = axis->a;
    if (axis->side == 2 && facet->edge_count < 4) {
        facet->edge_a[facet->edge_count] = axis->a;
        facet->edge_b[facet->edge_count++] = axis->b;
    }
    dvci_add_axis_points(s, g, end, first_cut, axis);
}

/* Will the axis have a point that holds it? A pair has room for so many, and edges may be parallel at the start. */
static bool dvci_axis_can_be_held(dvci_step *s, const dvci_group *g, const dvci_axis *axis)
{
    dvci_couple c;
    dvc_vec3 p, q, u, v;
    dvc_real t, r;
    if (g->cuts >= DVCI_CUTS) return false;
    if (axis->side != 2) return true;
    dvci_set_couple(&c, s, g, false);
    u = dvci_edge_vector(c.part[0], axis->a, &p);
    v = dvci_edge_vector(c.part[1], axis->b, &q);
    return dvci_cross_lines(p, u, dvci_add(q, c.d), v, &t, &r);
}

/* The pair takes a facet that was not foreseen: the axis along which it is least deep at the end pose. */
static void dvci_choose_axis(dvci_step *s, dvci_group *g, const dvci_couple *end, int first_cut, const dvci_axis *axis)
{
    dvci_facet *spare = &s->facets[g->first + g->count];
    int k;
    for (k = first_cut; k < s->point_count; k++)
        if (s->points[k].group == g - s->groups && s->points[k].facet == g->count) s->points[k].facet = -1;
    memset(spare, 0, sizeof *spare);
    spare->first = s->point_count;
    spare->face_a = spare->face_b = -1;
    spare->single = axis->side == 3;
    spare->gap = g->gap;
    g->chosen = g->count;
    dvci_join_axis(s, g, end, first_cut, axis);
}

/* Another facet that is truly open at the end while the chosen one pushes; -1: none. */
static int dvci_truly_open_facet(dvci_step *s, const dvci_group *g, int first_cut)
{
    dvci_couple c;
    if (g->count < 2 || g->sensor || g->bounces || g->over > DVCI_GAP_END || !(dvci_facet_push(s, g, first_cut) > 0)) return -1;
    dvci_set_couple(&c, s, g, true);
    return dvci_best_other_facet(s, g, &c, dvci_max(DVCI_GAP_CHECK * g->size, g->rounding));
}

DVCI_APART static bool dvci_pushes_apart(dvci_step *s, const dvci_island *island, int first_cut)
{
    int i;
    for (i = 0; i < island->group_count; i++)
        if (dvci_truly_open_facet(s, dvci_island_group(s, island, i), first_cut) >= 0) return true;
    return false;
}

/* What a look at the end pose changes before the next solve: at the first look, and when all gaps are right, facets that push
 * although another one is truly open; at every look, pairs that are too deep in a way that their points do not see: they get
 * one more point, or the facet that is least deep there. */
DVCI_APART static void dvci_mend_group(dvci_step *s, dvci_group *g, int first_cut, bool flips)
{
    if (g->own) return;
    if (g->over <= DVCI_GAP_END) {
        int other = flips ? dvci_truly_open_facet(s, g, first_cut) : -1;
        if (other < 0) return;
        g->chosen = other;
        s->report.flips++;
    } else if (!dvci_overlap_is_seen(s, g, first_cut)) {
        dvci_couple c;
        dvci_axis axis;
        int vertex;
        dvci_set_couple(&c, s, g, true);
        axis = dvci_best_axis(&c, DVC_INFINITY);
        if (!(axis.gap > -DVC_INFINITY)) return; /* where nothing is finite there is no axis */
        if (axis.side < 2 && dvci_axis_is_chosen(s, g, &axis)) {
            dvci_face_gap(&c, axis.side, axis.a, &vertex);
            dvci_add_cut(s, g, first_cut, axis.side, axis.a, vertex);
        } else if (!dvci_axis_is_chosen(s, g, &axis) && g->switches < DVCI_SWITCHES && dvci_axis_can_be_held(s, g, &axis)) {
            g->switches++;
            s->report.flips++;
            if (dvci_axis_is_flush(s, g, &c, first_cut, &axis)) dvci_join_axis(s, g, &c, first_cut, &axis);
            else dvci_choose_axis(s, g, &c, first_cut, &axis);
        }
    }
}

/* Do the group's bodies end where they started? */
static bool dvci_group_stays(const dvci_step *s, const dvci_group *g)
{
    bool stays = true;
    int k;
    for (k = 0; k < 2 && stays; k++) {
        const dvci_body *body = &s->bodies[dvci_group_body(s, g, k)];
        stays = dvci_zero_vec(dvci_sub(body->end.x, body->x)) && dvci_zero_vec(body->displacement);
    }
    return stays && g->cuts == 0;
}

/* Then its gaps are what they were. Returns how far one of its points pushes across one, per size. */
static dvc_real dvci_measure_still(dvci_step *s, dvci_group *g)
{
    const dvci_facet *facet = dvci_chosen_facet(s, g);
    dvc_real under = 0;
    int k;
    for (k = facet->first; k < facet->first + facet->count; k++) {
        dvci_point *point = &s->points[k];
        if (!point->enforced) continue;
        point->end_gap = point->gap;
        if (point->impulse > 0 && !point->bounces) under = dvci_max(under, dvci_point_way(g, point) / g->size);
    }
    g->end_gap = g->gap;
    g->over = dvci_max(0, dvci_forgiven(g) - g->gap - g->rounding) / g->size;
    return under;
}

/* The worst fault of the island's joints where its bodies end, rad or per size. */
static dvc_real dvci_measure_links(dvci_step *s, const dvci_island *island)
{
    dvc_real worst = 0;
    int i;
    for (i = 0; i < island->link_count; i++) worst = dvci_max(worst, dvci_measure_link(s, dvci_island_link(s, island, i)));
    return worst;
}

/* Measures the island at the end pose. */
static dvci_distance dvci_measure_island(dvci_step *s, const dvci_island *island, int first_cut)
{
    dvci_distance worst;
    int i;
    worst.over = worst.under = worst.off = 0;
    dvci_move_island(s, island);
    worst.off = dvci_measure_links(s, island);
    for (i = 0; i < island->group_count; i++) {
        dvci_group *g = dvci_island_group(s, island, i);
        if (g->sensor) continue;
        if (dvci_group_stays(s, g)) {
            worst.under = dvci_max(worst.under, dvci_measure_still(s, g));
        } else {
            dvci_couple c;
            dvci_set_couple(&c, s, g, true);
            worst.under = dvci_max(worst.under, dvci_measure_points(s, g, &c, first_cut));
            g->over = dvci_pair_over(s, g, &c);
        }
        g->measured = true;
        worst.over = dvci_max(worst.over, g->over);
    }
    return worst;
}

/* Rows and rates at the end pose for every point that will be enforced next. */
static void dvci_linearise_points(dvci_step *s, const int *list, int count, dvci_view view)
{
    int i;
    for (i = 0; i < count; i++) {
        dvci_point *point = &s->points[list[i]];
        dvci_couple c;
        dvci_set_couple(&c, s, &s->groups[point->group], true);
        if (!dvci_point_end_row(s, &c, point, view)) dvci_point_start_row(s, point);
    }
}

static void dvci_keep_point(dvci_point *point, bool keep)
{
    if (keep) {
        point->kept_enforced = point->enforced;
        point->kept_impulse = point->impulse;
        point->kept_friction = point->friction;
    } else {
        point->enforced = point->kept_enforced;
        point->goes_on = point->goes_on && point->impulse == point->kept_impulse;
        point->impulse = point->kept_impulse;
        point->friction = point->kept_friction;
    }
}

/* The island's velocities, choices and impulses are set aside while a better iterate is looked for (keep), or taken back. */
static void dvci_keep_iterate(dvci_step *s, const dvci_island *island, int first_cut, bool keep)
{
    int i, k;
    for (i = 0; i < island->body_count; i++) {
        dvci_body *body = dvci_island_body(s, island, i);
        if (keep) { body->kept_v = body->v; body->kept_w = body->w; }
        else { body->v = body->kept_v; body->w = body->kept_w; }
    }
    for (i = 0; i < island->group_count; i++) {
        dvci_group *g = dvci_island_group(s, island, i);
        const dvci_facet *last = &s->facets[g->first + g->count - 1];
        if (keep) g->kept_chosen = g->chosen;
        else g->chosen = g->kept_chosen;
        for (k = s->facets[g->first].first; k < last->first + last->count; k++) dvci_keep_point(&s->points[k], keep);
    }
    for (k = first_cut; k < s->point_count; k++) dvci_keep_point(&s->points[k], keep);
    for (i = 0; i < island->link_count; i++) {
        const dvci_link *link = dvci_island_link(s, island, i);
        for (k = link->first; k < link->first + link->count; k++) {
            dvci_link_row *row = &s->link_rows[k];
            if (keep) row->kept_impulse = row->impulse;
            else row->impulse = row->kept_impulse;
        }
    }
}

/* What was forgiven is asked for again, of pushes without friction. */
static void dvci_start_pushing(dvci_step *s, const dvci_island *island, dvci_attempt *attempt)
{
    int i;
    if (!attempt->pushed && attempt->forgiving)
        for (i = 0; i < island->group_count; i++) dvci_island_group(s, island, i)->gone = dvci_island_group(s, island, i)->strict;
    attempt->pushed = true;
}

/* A correction; where it has no solution, one that asks for less. Friction can wedge bodies so that no motion within its limits
 * leads out of overlap: in the end the bodies are pushed out without it. */
DVCI_APART static dvci_solution dvci_solve_correction(dvci_step *s, const dvci_island *island, int first_cut, int level,
                                           dvci_attempt *attempt)
{
    int count = dvci_collect_points(s, island, first_cut, s->list), view;
    dvci_solution solution;
    memset(&solution, 0, sizeof solution);
    view = attempt->pushed ? DVCI_ROW_PUSHING : attempt->jammed ? DVCI_ROW_FORGIVING : DVCI_ROW_AT_END;
    for (; view <= DVCI_ROW_PUSHING; view++) {
        if (view == DVCI_ROW_FORGIVING) dvci_forgive_overlap(s, island, first_cut, attempt);
        if (view == DVCI_ROW_PUSHING && level < DVCI_PUSH_LEVEL && !attempt->pushed) break;
        if (view == DVCI_ROW_PUSHING) dvci_start_pushing(s, island, attempt);
        dvci_linearise_points(s, s->list, count, (dvci_view)view);
        dvci_linearise_links(s, island, view == DVCI_ROW_AT_END, view == DVCI_ROW_PUSHING);
        s->report.corrections++;
        attempt->jammed = view == DVCI_ROW_FORGIVING;
        solution = attempt->pushed ? dvci_push_out(s, island, s->list, count)
                                   : dvci_solve_points(s, island, s->list, count, view != DVCI_ROW_AT_END);
        attempt->fallback = attempt->fallback || view != DVCI_ROW_AT_END || solution.other_method || dvci_is_unsolved(&solution);
        if (!dvci_is_unsolved(&solution)) break;
    }
    return solution;
}

/* All gaps right, and joints as far as rounding lets them: what Newton's method has not made much smaller is rounding. */
static bool dvci_is_settled(const dvci_distance *now, const dvci_distance *last)
{
    if (now->over + now->under > DVCI_GAP_END || now->off > DVCI_GAP_END) return false;
    return now->off <= DVCI_JOINT_END || now->off > last->off / 4;
}

/* Newton rounds at the end pose. On return the best iterate stands, moved to its end; its distance is returned. */
DVCI_APART static dvci_distance dvci_solve_end_pose(dvci_step *s, const dvci_island *island, int first_cut, int level, dvci_attempt *attempt)
{
    dvci_distance now, last, best;
    int round, i;
    bool standing = false, settled, ends, stiff;
    dvc_real residual = attempt->residual; /* of the iterate that is measured next */
    best.over = best.under = best.off = last.off = DVC_INFINITY;
    if (attempt->forgiven > DVCI_GAP_DEEP / 5) dvci_start_pushing(s, island, attempt); /* lest overlap creep from step to step */
    for (i = 0; i < island->group_count; i++) dvci_island_group(s, island, i)->switches = 0;
    for (round = 0; s->status == DVC_OK; round++) {
        dvci_solution solution;
        now = dvci_measure_island(s, island, first_cut);
        stiff = round == 0 && dvci_stiffen_island(s, island); /* then it has not been solved with its inertia yet */
        settled = dvci_is_settled(&now, &last) && !stiff;
        ends = round >= (attempt->approximate ? dvci_rough_rounds(island) : DVCI_END_ROUNDS);
        if ((settled || ends) && dvci_pushes_apart(s, island, first_cut)) {
            now.under = dvci_max(now.under, 2 * DVCI_GAP_DEEP);
        } else {
            ends = ends || settled;
        }
        standing = dvci_distance_sum(&now) < dvci_distance_sum(&best);
        if (standing) {
            if (!stiff) best = now;
            attempt->residual = residual;
            dvci_keep_iterate(s, island, first_cut, true);
        }
        if (ends) break;
        last = now;
        for (i = 0; i < island->group_count; i++)
            if (!dvci_island_group(s, island, i)->sensor)
                dvci_mend_group(s, dvci_island_group(s, island, i), first_cut, round == 0 || settled);
        if (s->status != DVC_OK) break;
        solution = dvci_solve_correction(s, island, first_cut, level, attempt);
        standing = false;
        if (solution.status != DVC_OK || s->status != DVC_OK) break;
        residual = solution.residual;
        attempt->approximate = attempt->approximate || solution.approximate;
    }
    if (!standing && s->status == DVC_OK) {
        dvci_keep_iterate(s, island, first_cut, false);
        dvci_move_island(s, island);
        dvci_measure_links(s, island);
    }
    return best;
}

/* ---- joints that hold more than is needed (a door on two hinges) ----
 * Where bodies end, rows that depend on each other do so in another way than where forces act, and agree only once joints
 * hold: a correction could not satisfy all. So it leaves the spare ones out; the load is shared among all in the end.
 */

/* The links' own problem, with nothing but what they hold. */
static bool dvci_set_up_held(dvci_step *s, const dvci_island *island, dvci_setup *q)
{
    int i;
    if (!dvci_set_up(s, island, NULL, 0, DVCI_FRICTIONLESS, true, 0, q)) return false;
    q->p.symmetric = true;
    for (i = 0; i < q->p.n; i++) {
        const dvci_link_row *row = dvci_row_link(s, &q->r, i);
        q->task.mode[i] = (signed char)(row->role == DVCI_HOLD ? 0 : -1);
        q->task.z[i] = row->role == DVCI_HOLD ? row->impulse / (q->p.unit[i] * q->size) : 0;
        q->p.b[i] = 0;
        if (row->role != DVCI_HOLD) q->p.lower[i] = q->p.upper[i] = 0;
    }
    return true;
}

/* Marks the spare rows; the links' rows are as at the start. Are there any? */
DVCI_APART static bool dvci_find_spare_rows(dvci_step *s, const dvci_island *island)
{
    size_t mark = s->arena.used;
    bool any = false;
    dvci_setup q;
    dvci_active active;
    int c;
    if (dvci_set_up_held(s, island, &q)) {
        dvci_active_carve(&active, q.p.n, &s->arena);
        active.factor.symmetric = true;
        if (!s->arena.failed && dvci_active_assemble(&q.task, &active)) {
            dvci_profile_factor(&active.factor);
            for (c = 0; c < active.factor.n; c++)
                if (active.factor.pivot[c] == 0) any = dvci_row_link(s, &q.r, active.set[c])->spare = true;
        }
    }
    if (s->arena.failed) s->status = DVC_ERROR_SCRATCH;
    s->arena.used = mark;
    return any;
}

/* The same forces on the bodies, from all rows: of all ways the one with the least impulses. */
DVCI_APART static void dvci_share_reactions(dvci_step *s, const dvci_island *island)
{
    size_t mark = s->arena.used;
    dvci_setup q;
    int i, k;
    for (i = 0; i < island->link_count; i++) {
        const dvci_link *link = dvci_island_link(s, island, i);
        for (k = link->first; k < link->first + link->count; k++) {
            dvci_link_row *row = &s->link_rows[k];
            row->spare = false;
            row->row_v = row->force_v;
            row->row_a = row->force_a;
            row->row_b = row->force_b;
        }
    }
    if (dvci_set_up_held(s, island, &q)) {
        dvci_mcp_apply(&q.p, q.task.z, q.task.w);
        for (i = 0; i < q.p.n; i++) q.p.b[i] = -q.task.w[i];
        if (dvci_solve_active_set(&q.task, 3) == DVC_OK)
            for (dvci_export_impulses(&q), i = 0; i < q.p.n; i++)
                if (dvci_row_link(s, &q.r, i)->role == DVCI_HOLD) dvci_row_link(s, &q.r, i)->impulse = q.r.z[i];
    }
    if (s->arena.failed) s->status = DVC_ERROR_SCRATCH;
    s->arena.used = mark;
}

/* ---- joints set right after a semi-implicit step (W, Algorithm 1, with the errata's signs) ---- */

/* Rows of what joints hold, where bodies have come to; other rows stand still. The rate is what is to be undone: the value
 * itself, or how fast it changes. */
static void dvci_aim_links(dvci_step *s, const dvci_island *island, bool positions)
{
    int i, k;
    for (i = 0; i < island->link_count; i++) {
        const dvci_link *link = dvci_island_link(s, island, i);
        const dvci_body *a = link->body_a >= 0 ? &s->bodies[link->body_a] : NULL, *b = &s->bodies[link->body_b];
        for (k = link->first; k < link->first + link->count; k++) {
            dvci_link_row *row = &s->link_rows[k];
            dvci_hinge hinge;
            if (row->role != DVCI_HOLD) {
                row->lower = row->upper = row->rate = 0;
                continue;
            }
            hinge = dvci_hinge_of(s, link, true);
            row->rate = dvci_measure_way(&hinge, (dvci_way)row->way, 0, &row->row_v, &row->row_a, &row->row_b);
            row->force_v = row->row_v;
            row->force_a = row->row_a;
            row->force_b = row->row_b;
            if (positions) continue;
            row->rate = dvci_dot(row->row_v, dvci_sub(b->v, a->v));
            row->rate += dvci_dot(row->row_a, a->w_end) + dvci_dot(row->row_b, b->w_end);
        }
    }
}

/* One correction of all poses, or of all velocities. */
static void dvci_correct_once(dvci_step *s, const dvci_island *island, bool positions)
{
    size_t mark = s->arena.used;
    dvci_setup q;
    int i;
    dvci_aim_links(s, island, positions);
    if (!dvci_set_up(s, island, NULL, 0, DVCI_FRICTIONLESS, true, 0, &q)) { s->status = DVC_ERROR_SCRATCH; return; }
    q.p.symmetric = true;
    if (dvci_solve_setup(s, DVC_AUTO, &q).status == DVC_OK)
        for (i = 0; i < island->body_count; i++) {
            dvci_body *body = dvci_island_body(s, island, i);
            dvc_vec3 v = dvci_vec(0, 0, 0), w = v;
            dvci_body_gains(&q.r, i, &v, &w);
            if (positions) {
                body->end.x = dvci_add(body->end.x, v);
                body->q_end = dvci_quat_unit(dvci_quat_mul(dvci_quat_exp(w), body->q_end));
                body->end.turn = dvci_quat_matrix(dvci_quat_mul(body->q_end, dvci_quat_conj(body->q)));
            } else {
                body->v = dvci_add(body->v, v);
                body->w_end = dvci_add(body->w_end, w);
            }
        }
    s->arena.used = mark;
}

DVCI_APART static void dvci_correct_joints(dvci_step *s, const dvci_island *island)
{
    dvc_real worst = DVC_INFINITY;
    int round;
    if (!s->world->correct_joints || !s->world->semi_implicit || island->link_count == 0) return;
    for (round = 0; round < 20 && worst > DVCI_GAP_END / 1000 && s->status == DVC_OK; round++) {
        dvci_correct_once(s, island, true);
        worst = dvci_measure_links(s, island);
    }
    if (s->status == DVC_OK) dvci_correct_once(s, island, false);
}

/* ------------------------------------------------------------------------------------------------
 * >>velocities  the velocities with which bodies end
 * ------------------------------------------------------------------------------------------------
 * A step in time has two problems. The first one is of *positions*: impulses l at the start give the mean velocities U that carry
 * bodies to where gaps and joints close; half of what forces do in the step has acted before. The second one is of *velocities*:
 * impulses m at the end pose, where the other half acts, make them such as contacts and joints allow from there on,
 *
 *     U = v + h/2 a + M^-1 G0 l,      v' = U + h/2 a' + M^-1 G1 m,      0 <= G1' v'  _|_  l + m >= 0  where bodies touch,
 *
 * G1' v' = 0 for what joints hold. So what l has done to make overlap or a joint's error good m takes back: it leaves a way, but no
 * speed. Free flight is exact under constant forces, and what swings keeps its energy to second order, without drift (this is
 * RATTLE with contacts). The second problem is solved for the totals p = l + m, which friction, efforts and the contacts' signs bound:
 *
 *     v' = [U + h/2 a' - M^-1 G1 l] + M^-1 G1 p
 */

static const dvc_body *dvci_island_user(const dvci_step *s, const dvci_island *island, int i)
{
    return &s->world->bodies[s->island_bodies[island->first_body + i]];
}

/* An impulse of the step at the point, where it is now or, once bodies are at their ends, there. */
static void dvci_add_impulse(const dvci_step *s, dvci_point *point, bool at_end, dvc_vec3 push)
{
    int a = dvci_group_body(s, &s->groups[point->group], 0);
    dvc_vec3 from = dvci_sub(at_end ? s->bodies[a].end.x : s->bodies[a].x, s->world->bodies[a].position);
    point->total = dvci_add(point->total, push);
    point->turned = dvci_add(point->turned, dvci_cross(dvci_add(from, point->arm_a), push));
}

/* A body before it is taken to its end, and the momentum that l gave it. */
typedef struct dvci_was {
    dvc_vec3 x, v, w, v_free, w_free, gyro, given, given_turn;
    dvc_quat q;
    dvc_real inverse_mass, pulled;
    dvci_mat3 inverse_inertia;
} dvci_was;

static void dvci_give(const dvci_step *s, dvci_was *was, int index, dvc_vec3 push, dvc_vec3 turn)
{
    dvci_was *to;
    if (index < 0 || !s->bodies[index].dynamic) return;
    to = &was[s->bodies[index].slot];
    to->given = dvci_add(to->given, push);
    to->given_turn = dvci_add(to->given_turn, turn);
}

/* Where a body was when this part of the step began. */
static dvc_vec3 dvci_started_at(const dvci_step *s, int index, const dvci_was *was)
{
    return s->bodies[index].dynamic ? was[s->bodies[index].slot].x : s->bodies[index].x;
}

/* Part of t in the plane of n, of the same length; t itself if it has none. */
static dvc_vec3 dvci_lay_into_plane(dvc_vec3 t, dvc_vec3 n)
{
    dvc_vec3 flat = dvci_madd(t, n, -dvci_dot(t, n));
    return dvci_zero_vec(flat) ? t : dvci_unit(flat);
}

/* The point where its features were measured; tangents turn with the normal. */
static void dvci_point_at(const dvci_step *s, const dvci_couple *c, dvci_point *point, dvc_vec3 n, dvc_vec3 at)
{
    if (DVC_FEATURE_KIND(point->feature_a) == DVC_FACE) at = dvci_madd(at, n, -c->part[1]->skin); /* it is a sphere's centre */
    else if (DVC_FEATURE_KIND(point->feature_b) == DVC_FACE) at = dvci_madd(at, n, c->part[0]->skin);
    point->arm_a = at;
    point->arm_b = dvci_sub(at, c->d);
    point->normal = n;
    point->slip_1 = s->world->planar ? dvci_vec(-n.y, n.x, 0) : dvci_lay_into_plane(point->slip_1, n);
    point->slip_2 = s->world->planar ? point->slip_2 : dvci_cross(n, point->slip_1);
    point->row_v = n;
    point->row_a = dvci_neg(dvci_cross(point->arm_a, n));
    point->row_b = dvci_cross(point->arm_b, n);
}

/* The point where the bodies end; what it pushes with turns with it. Does it touch there? */
static bool dvci_point_to_end(dvci_step *s, const dvci_couple *c, dvci_point *point)
{
    const dvci_group *g = &s->groups[point->group];
    dvc_real tolerance = dvci_max(10 * DVCI_GAP_CHECK * g->size, 2 * g->rounding), gap = 0;
    dvc_real along_1 = dvci_dot(point->friction, point->slip_1), along_2 = dvci_dot(point->friction, point->slip_2);
    dvc_vec3 n, at;
    if (dvci_measure_features(c, point, &gap, &n, &at)) dvci_point_at(s, c, point, n, at);
    point->friction = dvci_madd(dvci_scale(point->slip_1, along_1), point->slip_2, s->world->planar ? 0 : along_2);
    point->row_v = point->normal;
    point->row_a = dvci_neg(dvci_cross(point->arm_a, point->normal));
    point->row_b = dvci_cross(point->arm_b, point->normal);
    point->bend = dvci_vec(0, 0, 0);
    point->rate = dvci_dot(point->normal, dvci_given_velocity(s, point));
    return point->impulse > 0 || gap <= tolerance;
}

/* Does the pair bear more than rounding? What only just gets to where it touches does so in the next step: of two facets that come to
 * touch in one instant, as at a seam, one is not there. */
static bool dvci_pair_bears(const dvci_step *s, const dvci_group *g, int first_cut)
{
    const dvci_body *a = &s->bodies[dvci_group_body(s, g, 0)], *b = &s->bodies[dvci_group_body(s, g, 1)];
    dvc_real mobility = (a->dynamic ? a->inverse_mass : 0) + (b->dynamic ? b->inverse_mass : 0);
    return dvci_facet_push(s, g, first_cut) * mobility > DVCI_R(1e-9) * s->speed;
}

/* Speed at which the point would open with forces and impacts, but without what contacts bear. */
static dvc_real dvci_opening_unborne(const dvci_step *s, const dvci_group *g, const dvci_point *point)
{
    dvc_real u = 0;
    int k;
    for (k = 0; k < 2; k++) {
        const dvci_body *b = &s->bodies[dvci_group_body(s, g, k)];
        dvc_vec3 v = dvci_given_v(s, b), w = dvci_given_w(s, b);
        if (b->dynamic) {
            v = dvci_sub(dvci_scale(dvci_sub(b->v_free, b->jump_v), 2), dvci_add(b->v_start, b->hit_v));
            w = dvci_sub(dvci_scale(dvci_sub(b->w_free, b->jump_w), 2), dvci_add(b->w_start, b->hit_w));
        }
        u += (k ? 1 : -1) * dvci_dot(point->normal, dvci_add(v, dvci_cross(w, k ? point->arm_b : point->arm_a)));
    }
    return u;
}

/* What the impacts of the step have missed bounces at its end, by Newton's law; what only just gets there is the next step's. Does it
 * touch? */
static bool dvci_bounce_late(dvci_step *s, const dvci_group *g, dvci_point *point)
{
    dvc_real u = dvci_opening_unborne(s, g, point), slow = dvci_max(3 * s->gravity * s->h, DVCI_R(1e-9) * s->speed);
    if (u >= -slow) return true;
    point->rate += g->restitution * u;
    return point->impulse > 0;
}

/* Points where the bodies end; the first ones on the list touch there. Returns how many. */
static int dvci_points_to_end(dvci_step *s, const dvci_island *island, int first_cut, dvci_was *was)
{
    int count = dvci_collect_points(s, island, first_cut, s->list), i, touching = 0, group = -1;
    bool bears = false;
    for (i = 0; i < count; i++) {
        int index = s->list[i];
        dvci_point *point = &s->points[index];
        const dvci_group *g = &s->groups[point->group];
        dvci_couple c;
        dvc_vec3 push;
        bool touches;
        if (point->group != group) bears = dvci_pair_bears(s, g, first_cut);
        group = point->group;
        dvci_set_couple(&c, s, g, true);
        point->first = dvci_madd(point->friction, point->normal, point->impulse);
        point->first_turned = dvci_cross(dvci_add(dvci_sub(dvci_started_at(s, dvci_group_body(s, g, 0), was), s->world->bodies[dvci_group_body(s, g, 0)].position), point->arm_a), point->first);
        touches = dvci_point_to_end(s, &c, point) && bears;
        if (touches && g->restitution > 0) touches = dvci_bounce_late(s, g, point);
        push = dvci_madd(point->friction, point->normal, point->impulse);
        dvci_give(s, was, dvci_group_body(s, g, 0), dvci_neg(push), dvci_neg(dvci_cross(point->arm_a, push)));
        dvci_give(s, was, dvci_group_body(s, g, 1), push, dvci_cross(point->arm_b, push));
        point->goes_on = false;
        point->kept_impulse = point->impulse;
        point->kept_friction = point->friction;
        point->impulse *= touches ? 2 : 0; /* a guess */
        point->friction = dvci_scale(point->friction, touches ? DVCI_R(2.0) : 0);
        if (touches) s->list[touching++] = index;
    }
    return touching;
}

/* A link's row where the bodies end. It is about velocities there, and the whole step's impulse. */
static void dvci_link_row_to_end(dvci_step *s, const dvci_link *link, const dvci_hinge *hinge, dvci_link_row *row)
{
    dvc_real past = 0, sign = dvci_role_sign(row);
    bool turns = dvci_zero_vec(row->force_v), stops = row->role == DVCI_LOWER || row->role == DVCI_UPPER;
    if (row->way != DVCI_NO_WAY) {
        past = dvci_measure_way(hinge, (dvci_way)row->way, link->turn_end, &row->force_v, &row->force_a, &row->force_b);
        past = sign * (past - row->target);
        row->force_v = dvci_scale(row->force_v, sign);
        row->force_a = dvci_scale(row->force_a, sign);
        row->force_b = dvci_scale(row->force_b, sign);
    }
    row->row_v = row->force_v;
    row->row_a = row->force_a;
    row->row_b = row->force_b;
    row->rate = dvci_link_given(s, link, row);
    if (row->role == DVCI_MOTOR) row->rate -= (row->target - row->start) / s->h;
    if (row->role == DVCI_YIELD) row->rate -= row->compliance * row->impulse;
    if (row->lower > -DVC_INFINITY) row->lower *= 2;
    if (row->upper < DVC_INFINITY) row->upper *= 2;
    row->kept_impulse = row->impulse;
    if (stops && !(row->impulse > 0) && past > DVCI_GAP_CHECK * (turns ? 1 : link->size)) row->lower = row->upper = row->impulse = 0;
    row->impulse *= row->spare ? 0 : 2; /* a guess; others carry what is spare */
}

/* Links where the bodies end; returns how many rows they have. */
static int dvci_links_to_end(dvci_step *s, const dvci_island *island, dvci_was *was)
{
    int i, k, rows = 0;
    for (i = 0; i < island->link_count; i++) {
        dvci_link *link = dvci_island_link(s, island, i);
        dvci_hinge hinge;
        memset(&hinge, 0, sizeof hinge);
        if (link->kind == DVCI_LINK_JOINT) hinge = dvci_hinge_of(s, link, true);
        if (link->kind == DVCI_LINK_SPRING) dvci_spring_to_end(s, link);
        for (k = link->first; k < link->first + link->count; k++, rows++) {
            dvci_link_row *row = &s->link_rows[k];
            dvc_real l = row->impulse;
            dvci_add_link_impulse(row, l, &link->early, &link->early_angular);
            dvci_link_row_to_end(s, link, &hinge, row);
            dvci_add_link_impulse(row, -l, &link->early, &link->early_angular);
            dvci_give(s, was, link->body_a, dvci_scale(row->force_v, -l), dvci_scale(row->force_a, l));
            dvci_give(s, was, link->body_b, dvci_scale(row->force_v, l), dvci_scale(row->force_b, l));
        }
    }
    return rows;
}

/* The body at its end pose, with the velocity it would have there without the impulses l. */
static void dvci_body_to_end(dvci_step *s, int index, const dvci_was *was)
{
    dvci_body *body = &s->bodies[index];
    const dvc_body *user = &s->world->bodies[index];
    dvc_real h = s->h - dvci_kick(s), linear = 1 / (1 + h * user->linear_damping), angular = 1 / (1 + h * user->angular_damping);
    dvc_vec3 kick = dvci_sub(dvci_scale(body->force, h), was->given), v = dvci_sub(body->v, body->jump_v);
    body->inverse_mass = linear / user->mass;
    body->v_free = dvci_scale(dvci_madd(dvci_madd(v, dvci_flat(s->world->gravity, s->world->planar), h), kick, 1 / user->mass), linear);
    body->w_free = body->gyro = dvci_vec(0, 0, 0);
    if (body->turns) {
        if (!body->stiff) {
            body->inverse_inertia = dvci_inverse_inertia(body->moments, body->q_end, s->world->planar);
            body->inverse_inertia = dvci_matmul(dvci_diagonal(angular, angular, angular), body->inverse_inertia);
        }
        kick = dvci_sub(dvci_scale(body->torque, h), was->given_turn);
        body->w_free = dvci_scale(dvci_sub(body->w_end, body->jump_w), angular);
        body->w_free = dvci_add(body->w_free, dvci_mul(body->inverse_inertia, kick));
    }
    body->v = body->v_free;
    body->w = body->w_free;
}

static void dvci_set_body_aside(dvci_body *body, dvci_was *was)
{
    memset(was, 0, sizeof *was);
    was->x = body->x;
    was->q = body->q;
    was->v = body->v;
    was->w = body->w;
    was->v_free = body->v_free;
    was->w_free = body->w_free;
    was->gyro = body->gyro;
    was->inverse_mass = body->inverse_mass;
    was->inverse_inertia = body->inverse_inertia;
    was->pulled = body->pulled;
}

/* The body as it was; what it moves with now is its velocity at the end. */
static void dvci_take_body_back(dvci_body *body, const dvci_was *was)
{
    body->v_out = body->v;
    body->w_out = body->w;
    body->x = was->x;
    body->q = was->q;
    body->v = was->v;
    body->w = was->w;
    body->v_free = was->v_free;
    body->w_free = was->w_free;
    body->gyro = was->gyro;
    body->inverse_mass = was->inverse_mass;
    body->inverse_inertia = was->inverse_inertia;
    body->pulled = was->pulled;
}

/* Does nothing move that moved not? Then the second half of the step is as the first one. */
static bool dvci_island_stays(const dvci_step *s, const dvci_island *island)
{
    int i, k;
    for (i = 0; i < island->body_count; i++) {
        const dvci_body *b = dvci_island_body(s, island, i);
        if (!dvci_zero_vec(b->v) || !dvci_zero_vec(b->w) || !dvci_zero_vec(b->jump_v) || !dvci_zero_vec(b->jump_w)) return false;
    }
    for (i = 0; i < island->group_count; i++)
        for (k = 0; k < 2; k++) {
            const dvci_body *b = &s->bodies[dvci_group_body(s, dvci_island_group(s, island, i), k)];
            if (!b->dynamic && !(dvci_zero_vec(b->v_out) && dvci_zero_vec(b->w_out))) return false;
        }
    for (i = 0; i < island->link_count; i++) {
        const dvci_link *link = dvci_island_link(s, island, i);
        const dvci_body *a = link->body_a >= 0 ? &s->bodies[link->body_a] : NULL, *b = &s->bodies[link->body_b];
        if (a && !a->dynamic && !(dvci_zero_vec(a->v_out) && dvci_zero_vec(a->w_out))) return false;
        if (!b->dynamic && !(dvci_zero_vec(b->v_out) && dvci_zero_vec(b->w_out))) return false;
    }
    return true;
}

static void dvci_double_impulses(dvci_step *s, const dvci_island *island, int first_cut)
{
    int count = dvci_collect_points(s, island, first_cut, s->list), i, k;
    for (i = 0; i < count; i++) {
        dvci_point *point = &s->points[s->list[i]];
        point->impulse *= 2;
        point->friction = dvci_scale(point->friction, 2);
        point->kept_impulse = 0;
        point->kept_friction = point->first = point->first_turned = dvci_vec(0, 0, 0);
    }
    for (i = 0; i < island->link_count; i++) {
        const dvci_link *link = dvci_island_link(s, island, i);
        for (k = link->first; k < link->first + link->count; k++) s->link_rows[k].impulse *= 2;
    }
    for (i = 0; i < island->body_count; i++)
        dvci_island_body(s, island, i)->v_out = dvci_island_body(s, island, i)->w_out = dvci_vec(0, 0, 0);
}

/* Impulses p of the step, and velocities with them; `touching` points stand on the list. */
static void dvci_solve_velocities(dvci_step *s, const dvci_island *island, int touching, dvci_attempt *attempt)
{
    dvci_solution solution = dvci_solve_points(s, island, s->list, touching, true);
    if (dvci_is_unsolved(&solution)) {
        solution = dvci_solve_compliant(s, island, s->list, touching);
        attempt->fallback = true;
    }
    if (solution.status == DVC_ERROR_SCRATCH) return;
    attempt->residual = dvci_max(attempt->residual, solution.residual);
    attempt->approximate = attempt->approximate || solution.approximate;
    attempt->exact = attempt->exact && solution.status == DVC_OK;
    attempt->fallback = attempt->fallback || solution.other_method;
}

/* Velocities at the end of the step. Points and links are there from now on, and have the whole step's impulses. */
DVCI_APART static void dvci_end_velocities(dvci_step *s, const dvci_island *island, int first_cut, dvci_attempt *attempt)
{
    size_t mark = s->arena.used;
    dvci_was *was = (dvci_was *)dvci_alloc(&s->arena, (size_t)island->body_count, sizeof *was);
    int i, touching, rows;
    if (s->arena.failed) { s->status = DVC_ERROR_SCRATCH; return; }
    attempt->work = dvci_island_work(s, island, first_cut);
    if (dvci_island_stays(s, island)) {
        dvci_double_impulses(s, island, first_cut);
        s->arena.used = mark;
        return;
    }
    s->leaving = true;
    for (i = 0; i < island->body_count; i++) {
        dvci_body *body = dvci_island_body(s, island, i);
        dvci_set_body_aside(body, &was[i]);
        body->x = body->end.x;
        body->q = body->q_end;
    }
    dvci_island_forces(s, island);
    touching = dvci_points_to_end(s, island, first_cut, was);
    rows = dvci_links_to_end(s, island, was);
    for (i = 0; i < island->body_count; i++) dvci_body_to_end(s, s->island_bodies[island->first_body + i], &was[i]);
    if (touching + rows > 0) dvci_solve_velocities(s, island, touching, attempt);
    for (i = 0; i < island->body_count; i++) dvci_take_body_back(dvci_island_body(s, island, i), &was[i]);
    dvci_add_work(&attempt->work, dvci_island_work(s, island, first_cut));
    s->leaving = false;
    s->arena.used = mark;
}

/* ------------------------------------------------------------------------------------------------
 * >>impacts  what strikes within a step
 * ------------------------------------------------------------------------------------------------
 * Where restitution acts, a step begins with the impacts within it, in the order of time: along the paths that bodies fly
 * under forces, what comes to touch and closes faster than rest would is struck *at that instant*. A velocity that changes by
 * dv at time t is, for the rest of the step, as if it had done so at the start from a place that is t dv away: so the step's two
 * problems go on from v + dv with `jump` = -t dv, and the height of a bounce is exact.
 *
 * All that touches and closes at an instant is struck together (generalised reflections, Smith et al. 2012): impulses that would
 * make it inelastic, times 1 + e, and no more of them than keep the energy; again until nothing closes. Then a cradle is Newton's,
 * a box that falls flat does not turn, and energy never grows. Friction takes what it can, within the cone of what has pushed.
 */
#define DVCI_IMPACT_SLOW DVCI_R(1.1) /* of what forces add in a step: what closes no faster rests */
#define DVCI_IMPACT_ROUNDS 20   /* with restitution at one instant, and one more for each contact; then what closes is caught */
#define DVCI_IMPACT_RUBS 10     /* sweeps of friction in a round */
#define DVCI_IMPACT_LOOKS 8     /* at a pair, until its instant is right */
#define DVCI_IMPACT_EVENTS 20   /* instants in a step, and four more for each body; what is struck later is as inelastic */

/* A body in flight: at time t it has gone way + v t + a t^2 / 2. */
typedef struct dvci_flight {
    dvc_vec3 v, w, a, spin_up; /* w and its change */
    dvc_vec3 way, turn;        /* what impacts have shifted it by */
    dvc_vec3 dv, dw;           /* what was struck and has not taken effect */
    dvci_was was;
} dvci_flight;

/* A point that may be struck. Its gap is that of its last look, at `seen`, and what the bodies have gone since. */
typedef struct dvci_hit {
    int index;               /* of the point */
    dvci_point was;
    dvc_vec3 rub;            /* friction at this instant */
    dvc_real gap, seen, rel; /* rel: way along the normal at `seen` */
    dvc_real tolerance, slow;
    dvc_real closing, lambda, total;
    bool now, looks;         /* it touches at this instant; its geometry can be looked at in flight */
} dvci_hit;

typedef struct dvci_volley {
    dvci_step *s;
    const dvci_island *island;
    dvci_flight *flight; /* (bodies of the island) */
    dvci_hit *hits;      /* (count) */
    int count;
    dvc_real t;          /* the instant */
    dvc_real tiny;       /* speed that is none */
} dvci_volley;

static const dvci_flight *dvci_flight_of(const dvci_volley *q, const dvci_body *body)
{
    return body->dynamic ? &q->flight[body->slot] : NULL;
}

/* How far the body's material at the arm has gone at time t, to first order of the turn; and how fast it goes. */
static dvc_vec3 dvci_gone(const dvci_volley *q, const dvci_body *body, dvc_vec3 arm, dvc_real t)
{
    const dvci_flight *f = dvci_flight_of(q, body);
    dvc_vec3 x, turn;
    if (!f) return dvci_scale(dvci_add(body->v, dvci_cross(body->w, arm)), t);
    x = dvci_madd(dvci_madd(f->way, f->v, t), f->a, t * t / 2);
    turn = dvci_madd(dvci_madd(f->turn, f->w, t), f->spin_up, t * t / 2);
    return dvci_add(x, dvci_cross(turn, arm));
}

static dvc_vec3 dvci_going(const dvci_volley *q, const dvci_body *body, dvc_vec3 arm, dvc_real t)
{
    const dvci_flight *f = dvci_flight_of(q, body);
    if (!f) return dvci_add(body->v, dvci_cross(body->w, arm));
    return dvci_add(dvci_madd(f->v, f->a, t), dvci_cross(dvci_madd(f->w, f->spin_up, t), arm));
}

/* The same of b's against a's. */
static dvc_vec3 dvci_hit_gone(const dvci_volley *q, const dvci_hit *hit, dvc_real t)
{
    const dvci_point *p = &q->s->points[hit->index];
    const dvci_group *g = &q->s->groups[p->group];
    return dvci_sub(dvci_gone(q, &q->s->bodies[dvci_group_body(q->s, g, 1)], p->arm_b, t),
                    dvci_gone(q, &q->s->bodies[dvci_group_body(q->s, g, 0)], p->arm_a, t));
}

static dvc_vec3 dvci_hit_going(const dvci_volley *q, const dvci_hit *hit, dvc_real t)
{
    const dvci_point *p = &q->s->points[hit->index];
    const dvci_group *g = &q->s->groups[p->group];
    return dvci_sub(dvci_going(q, &q->s->bodies[dvci_group_body(q->s, g, 1)], p->arm_b, t),
                    dvci_going(q, &q->s->bodies[dvci_group_body(q->s, g, 0)], p->arm_a, t));
}

static dvc_real dvci_hit_gap(const dvci_volley *q, const dvci_hit *hit, dvc_real t)
{
    return hit->gap + dvci_dot(q->s->points[hit->index].normal, dvci_hit_gone(q, hit, t)) - hit->rel;
}

static dvc_real dvci_hit_opening(const dvci_volley *q, const dvci_hit *hit, dvc_real t)
{
    return dvci_dot(q->s->points[hit->index].normal, dvci_hit_going(q, hit, t));
}

/* The first instant from q->t on at which the gap, a parabola in time, is none and closes; beyond the step: 2 h. */
static dvc_real dvci_hit_instant(const dvci_volley *q, const dvci_hit *hit)
{
    dvc_real h = q->s->h, t = q->t, gap = dvci_hit_gap(q, hit, t), u = dvci_hit_opening(q, hit, t);
    dvc_real a = h > t ? (dvci_hit_opening(q, hit, h) - u) / (h - t) : 0, root;
    if (gap <= hit->tolerance) {
        if (u < -hit->slow) return t;
        if (!(a < 0) || !(u > 0) || dvci_hit_gap(q, hit, h) >= -hit->tolerance) return 2 * h;
        t -= 2 * u / a; /* up, and back again */
        return t < h && u > hit->slow ? t : 2 * h;
    }
    root = u * u - 2 * a * gap;
    if (root < 0) return 2 * h;
    root = dvci_sqrt(root);
    if (u < 0) t += 2 * gap / (root - u);
    else if (a < 0) t += (-u - root) / a;
    else return 2 * h;
    return t <= h && root > hit->slow ? t : 2 * h;
}

/* ---- geometry in flight ---- */

/* The bodies at the instant, and their parts. */
static void dvci_fly_to(dvci_volley *q, dvc_real t)
{
    dvci_step *s = q->s;
    int i;
    for (i = 0; i < q->island->body_count; i++) {
        dvci_body *body = dvci_island_body(s, q->island, i);
        const dvci_flight *f = &q->flight[i];
        body->v = dvci_madd(dvci_madd(f->way, f->v, t), f->a, t * t / 2);
        body->w = dvci_madd(dvci_madd(f->turn, f->w, t), f->spin_up, t * t / 2);
        dvci_body_move(body, 1);
        if (body->turns) body->inverse_inertia = dvci_inverse_inertia(body->moments, body->q_end, s->world->planar);
    }
}

/* Looks where the features are at the instant. */
static void dvci_look_at_hit(dvci_volley *q, dvci_hit *hit, dvc_real t)
{
    dvci_step *s = q->s;
    dvci_point *point = &s->points[hit->index];
    const dvci_group *g = &s->groups[point->group];
    dvci_couple c;
    dvc_vec3 n, at;
    dvc_real gap;
    if (!hit->looks) return;
    dvci_turn_part(s, g->part_a);
    dvci_turn_part(s, g->part_b);
    dvci_set_couple(&c, s, g, true);
    if (!dvci_measure_features(&c, point, &gap, &n, &at)) return;
    dvci_point_at(s, &c, point, n, at);
    hit->gap = gap;
    hit->seen = t;
    hit->rel = dvci_dot(n, dvci_hit_gone(q, hit, t));
}

/* The next instant at which something is struck; what touches then is marked. False: there is none in this step. */
static bool dvci_next_instant(dvci_volley *q)
{
    dvc_real h = q->s->h, from = q->t;
    int look, i;
    for (look = 0; look < DVCI_IMPACT_LOOKS; look++) {
        dvc_real first = 2 * h;
        bool any = false;
        q->t = from;
        for (i = 0; i < q->count; i++) first = dvci_min(first, dvci_hit_instant(q, &q->hits[i]));
        if (!(first <= h)) return false;
        q->t = first;
        dvci_fly_to(q, first);
        for (i = 0; i < q->count; i++) {
            dvci_hit *hit = &q->hits[i];
            hit->now = false;
            hit->total = 0;
            hit->rub = dvci_vec(0, 0, 0);
            if (dvci_hit_gap(q, hit, first) > 10 * hit->tolerance) continue;
            if (hit->seen < first || look == 0) dvci_look_at_hit(q, hit, first);
            hit->now = dvci_hit_gap(q, hit, first) <= hit->tolerance;
            any = any || (hit->now && dvci_hit_opening(q, hit, first) < -hit->slow);
        }
        if (any) return true;
    }
    return false; /* no look finds it where it was foreseen */
}

/* ---- reflections ---- */

/* An impulse at the point, and its mirror image. */
static void dvci_strike(dvci_volley *q, const dvci_hit *hit, dvc_vec3 push)
{
    const dvci_point *p = &q->s->points[hit->index];
    int k;
    for (k = 0; k < 2; k++) {
        const dvci_body *body = &q->s->bodies[dvci_group_body(q->s, &q->s->groups[p->group], k)];
        dvc_vec3 own = k ? push : dvci_neg(push);
        dvci_flight *f;
        if (!body->dynamic) continue;
        f = &q->flight[body->slot];
        f->dv = dvci_madd(f->dv, own, body->inverse_mass);
        f->dw = dvci_add(f->dw, dvci_mul(body->inverse_inertia, dvci_cross(k ? p->arm_b : p->arm_a, own)));
    }
}

/* What was struck takes effect at the instant, so much of it. */
static void dvci_kick_flights(dvci_volley *q, dvc_real part)
{
    int i;
    for (i = 0; i < q->island->body_count; i++) {
        dvci_flight *f = &q->flight[i];
        dvc_vec3 dv = dvci_scale(f->dv, part), dw = dvci_scale(f->dw, part);
        f->v = dvci_add(f->v, dv);
        f->w = dvci_add(f->w, dw);
        f->way = dvci_madd(f->way, dv, -q->t);
        f->turn = dvci_madd(f->turn, dw, -q->t);
        f->dv = f->dw = dvci_vec(0, 0, 0);
    }
}

/* Twice the kinetic energy of what was struck. */
static dvc_real dvci_struck_energy(const dvci_volley *q)
{
    dvc_real sum = 0;
    int i;
    for (i = 0; i < q->island->body_count; i++) {
        const dvci_body *body = dvci_island_body(q->s, q->island, i);
        const dvci_flight *f = &q->flight[i];
        sum += 2 * dvci_kinetic(dvci_island_user(q->s, q->island, i)->mass, body->moments, f->dv, body->q_end, f->dw);
    }
    return sum;
}

/* Joints hold while points are struck: of their rows only those count, and ask for what `struck` velocities take away. */
static void dvci_links_struck(dvci_volley *q, bool struck)
{
    int i, k;
    for (i = 0; i < q->island->link_count; i++) {
        const dvci_link *link = dvci_island_link(q->s, q->island, i);
        const dvci_body *a = link->body_a >= 0 ? &q->s->bodies[link->body_a] : NULL, *b = &q->s->bodies[link->body_b];
        for (k = link->first; k < link->first + link->count; k++) {
            dvci_link_row *row = &q->s->link_rows[k];
            row->rate = 0;
            if (row->role != DVCI_HOLD) row->lower = row->upper = 0;
            if (!struck) continue;
            if (a && a->dynamic) row->rate += dvci_dot(row->row_a, q->flight[a->slot].dw) - dvci_dot(row->row_v, q->flight[a->slot].dv);
            if (b->dynamic) row->rate += dvci_dot(row->row_b, q->flight[b->slot].dw) + dvci_dot(row->row_v, q->flight[b->slot].dv);
        }
    }
}

/* Impulses that make all `n` points on the list inelastic, which their rates are about, while joints hold. Or, of none, what joints add
 * to what was struck. */
static bool dvci_solve_struck(dvci_volley *q, int n)
{
    dvci_step *s = q->s;
    size_t mark = s->arena.used;
    int i;
    bool solved = false;
    dvci_setup setup;
    dvci_links_struck(q, n == 0);
    if (dvci_set_up(s, q->island, s->list, n, DVCI_FRICTIONLESS, true, 0, &setup)) {
        setup.p.symmetric = setup.task.dependent = true;
        solved = dvci_solve_setup(s, DVC_AUTO, &setup).status == DVC_OK;
        for (i = 0; i < setup.r.count; i++)
            if (setup.r.kind[i] == DVCI_ROW_NORMAL) s->points[setup.r.point[i]].impulse = setup.r.z[i];
        for (i = 0; n == 0 && i < q->island->body_count; i++) dvci_body_gains(&setup.r, i, &q->flight[i].dv, &q->flight[i].dw);
    }
    if (s->arena.failed) s->status = DVC_ERROR_SCRATCH;
    s->arena.used = mark;
    return solved;
}

static void dvci_share_with_joints(dvci_volley *q)
{
    if (q->island->link_count > 0) dvci_solve_struck(q, 0);
}

/* What was struck and has not taken effect adds this to the velocity at the point. */
static dvc_vec3 dvci_hit_struck(const dvci_volley *q, const dvci_hit *hit)
{
    const dvci_point *p = &q->s->points[hit->index];
    dvc_vec3 u = dvci_vec(0, 0, 0);
    int k;
    for (k = 0; k < 2; k++) {
        const dvci_flight *f = dvci_flight_of(q, &q->s->bodies[dvci_group_body(q->s, &q->s->groups[p->group], k)]);
        dvc_vec3 own;
        if (!f) continue;
        own = dvci_add(f->dv, dvci_cross(f->dw, k ? p->arm_b : p->arm_a));
        u = k ? dvci_add(u, own) : dvci_sub(u, own);
    }
    return u;
}

/* Friction takes what it can, within the cone of what has pushed at this instant. */
static void dvci_rub_hits(dvci_volley *q)
{
    bool any = true;
    int sweep, i;
    for (sweep = 0; any && sweep < DVCI_IMPACT_RUBS; sweep++)
        for (any = false, i = 0; i < q->count; i++) {
            dvci_hit *hit = &q->hits[i];
            const dvci_point *p = &q->s->points[hit->index];
            const dvci_group *g = &q->s->groups[p->group];
            dvc_real most = g->friction * hit->total, size;
            dvc_vec3 u, along, push;
            if (!hit->now || !(most > 0)) continue;
            u = dvci_add(dvci_add(dvci_hit_going(q, hit, q->t), dvci_hit_struck(q, hit)), g->surface);
            u = dvci_madd(u, p->normal, -dvci_dot(u, p->normal));
            size = dvci_norm(u);
            if (!(size > q->tiny)) continue;
            along = dvci_scale(u, 1 / size);
            push = dvci_madd(hit->rub, along, -size / (dvci_mobility(&q->s->bodies[dvci_group_body(q->s, g, 0)], p->arm_a, along)
                                                       + dvci_mobility(&q->s->bodies[dvci_group_body(q->s, g, 1)], p->arm_b, along)));
            size = dvci_norm(push);
            if (size > most) push = dvci_scale(push, most / size);
            along = dvci_sub(push, hit->rub);
            if (!(dvci_dot(along, u) < 0)) continue; /* it only takes */
            any = any || dvci_norm(along) > DVCI_R(1e-10) * most;
            hit->rub = push;
            dvci_strike(q, hit, along);
        }
}

/* One reflection of all that closes; `elastic` tells whether restitution acts. False: nothing closes any more. */
static bool dvci_reflect_once(dvci_volley *q, bool elastic)
{
    dvc_real lost = 0, size, part;
    bool full = elastic;
    int i, n = 0;
    for (i = 0; i < q->count; i++) {
        dvci_hit *hit = &q->hits[i];
        hit->closing = hit->now ? dvci_hit_opening(q, hit, q->t) : 0;
        hit->lambda = 0;
        q->s->points[hit->index].rate = hit->closing;
        q->s->points[hit->index].impulse = 0;
        if (hit->closing < -hit->slow) q->s->list[n++] = hit->index;
    }
    if (n == 0 || !dvci_solve_struck(q, n)) return false;
    for (i = 0; i < q->count; i++) {
        dvci_hit *hit = &q->hits[i];
        const dvci_point *p = &q->s->points[hit->index];
        dvc_real e = elastic ? q->s->groups[p->group].restitution : 0;
        if (!hit->now || !(p->impulse > 0)) continue;
        hit->lambda = (1 + e) * p->impulse;
        full = full && e == 1;
        lost += hit->closing * hit->lambda;
        dvci_strike(q, hit, dvci_scale(p->normal, hit->lambda));
    }
    dvci_share_with_joints(q);
    size = dvci_struck_energy(q);
    if (!(size > 0)) return false;
    part = -2 * lost / size; /* with so much of it energy is kept */
    if (!full) part = dvci_min(part, 1);
    dvci_kick_flights(q, part);
    for (i = 0; i < q->count; i++) q->hits[i].total += part * q->hits[i].lambda;
    dvci_rub_hits(q);
    dvci_share_with_joints(q);
    dvci_kick_flights(q, 1);
    return q->s->status == DVC_OK;
}

/* All that touches at the instant is struck. */
static void dvci_reflect(dvci_volley *q)
{
    int round, i, most = DVCI_IMPACT_ROUNDS;
    for (i = 0; i < q->count; i++) most += q->hits[i].now;
    for (round = 0; round < most + DVCI_IMPACT_ROUNDS && dvci_reflect_once(q, round < most); round++) {}
    for (i = 0; i < q->count; i++) {
        dvci_hit *hit = &q->hits[i];
        if (!hit->now) continue;
        hit->was.total_normal += hit->total;
        dvci_add_impulse(q->s, &q->s->points[hit->index], true, dvci_madd(hit->rub, q->s->points[hit->index].normal, hit->total));
    }
}

/* ---- from the start of the step, and back ---- */

/* The body flies under forces, and as its joints let it. */
static void dvci_start_flight(dvci_volley *q, int i)
{
    dvci_body *body = dvci_island_body(q->s, q->island, i);
    dvci_flight *f = &q->flight[i];
    memset(f, 0, sizeof *f);
    dvci_set_body_aside(body, &f->was);
    body->inverse_mass = 1 / dvci_island_user(q->s, q->island, i)->mass;
    f->v = body->v_start;
    f->w = body->w_start;
    f->dv = dvci_scale(dvci_sub(body->v_free, body->v_start), q->s->h / dvci_kick(q->s));
    f->dw = dvci_scale(dvci_sub(body->w_free, body->w_start), q->s->h / dvci_kick(q->s));
}

static void dvci_aim_flight(dvci_volley *q, int i)
{
    dvci_flight *f = &q->flight[i];
    f->a = dvci_scale(f->dv, 1 / q->s->h);
    f->spin_up = dvci_scale(f->dw, 1 / q->s->h);
    f->dv = f->dw = dvci_vec(0, 0, 0);
}

static bool dvci_body_is_given(const dvci_body *body)
{
    return !body->dynamic && !(dvci_zero_vec(body->v) && dvci_zero_vec(body->w));
}

/* Points of the facets that free motion would come to are what may be struck. */
static void dvci_aim_hits(dvci_volley *q)
{
    dvci_step *s = q->s;
    int i, k;
    for (i = 0; i < q->island->group_count; i++) {
        const dvci_group *g = dvci_island_group(s, q->island, i);
        const dvci_facet *facet = dvci_chosen_facet(s, g);
        const dvci_body *a = &s->bodies[dvci_group_body(s, g, 0)], *b = &s->bodies[dvci_group_body(s, g, 1)];
        dvc_real pull = dvci_max(a->dynamic ? dvci_norm(q->flight[a->slot].a) : 0, b->dynamic ? dvci_norm(q->flight[b->slot].a) : 0);
        for (k = facet->first; !g->sensor && k < facet->first + facet->count; k++) {
            dvci_hit *hit = &q->hits[q->count++];
            memset(hit, 0, sizeof *hit);
            hit->index = k;
            hit->was = s->points[k];
            hit->gap = dvci_max(0, s->points[k].gap); /* overlap is not the impacts' matter */
            hit->tolerance = DVCI_GAP_CHECK * g->size;
            hit->slow = dvci_max(DVCI_IMPACT_SLOW * pull * s->h, DVCI_R(1e-9) * s->speed);
            hit->looks = !g->own && !dvci_body_is_given(a) && !dvci_body_is_given(b);
        }
    }
}

/* The body as it was at the start, struck. */
static void dvci_end_flight(dvci_volley *q, int i, bool struck)
{
    dvci_body *body = dvci_island_body(q->s, q->island, i);
    const dvc_body *user = dvci_island_user(q->s, q->island, i);
    const dvci_flight *f = &q->flight[i];
    dvc_real h = q->s->h, linear = f->was.inverse_mass * user->mass, angular = 1 / (1 + dvci_kick(q->s) * user->angular_damping);
    dvci_take_body_back(body, &f->was);
    if (struck) {
        body->hit_v = dvci_sub(f->v, body->v_start);
        body->hit_w = dvci_sub(f->w, body->w_start);
        body->jump_v = dvci_scale(f->way, 1 / h);
        body->jump_w = dvci_scale(f->turn, 1 / h);
        body->v_free = dvci_add(dvci_madd(body->v_free, body->hit_v, linear), body->jump_v);
        body->w_free = dvci_add(dvci_madd(body->w_free, body->hit_w, angular), body->jump_w);
    }
    body->v = body->v_free;
    body->w = body->w_free;
    dvci_body_move(body, h);
    body->gyro = body->round ? dvci_vec(0, 0, 0) : dvci_sub(body->displacement, body->w);
    dvci_body_coast(q->s, q->s->island_bodies[q->island->first_body + i]);
}

/* Points and links as they were at the start; what points have pushed counts. */
static void dvci_end_hits(dvci_volley *q)
{
    int i;
    for (i = 0; i < q->count; i++) {
        dvci_hit *hit = &q->hits[i];
        dvci_point *point = &q->s->points[hit->index];
        hit->was.total = point->total;
        hit->was.turned = point->turned;
        *point = hit->was;
    }
    for (i = 0; i < q->island->link_count; i++) dvci_start_link(q->s, dvci_island_link(q->s, q->island, i));
}

/* How many points may be struck; facets are chosen. */
static int dvci_count_hits(dvci_step *s, const dvci_island *island)
{
    int i, count = 0;
    bool any = false;
    for (i = 0; i < island->group_count; i++) any = any || dvci_island_group(s, island, i)->restitution > 0;
    for (i = 0; any && i < island->group_count; i++) {
        dvci_group *g = dvci_island_group(s, island, i);
        if (g->sensor) continue;
        dvci_choose_facet(s, g);
        count += dvci_chosen_facet(s, g)->count;
    }
    return count;
}

/* The island's impacts within the step. */
DVCI_APART static void dvci_strike_island(dvci_step *s, const dvci_island *island)
{
    size_t mark = s->arena.used;
    int count = dvci_count_hits(s, island), events, i;
    dvci_volley q;
    if (count == 0) return;
    memset(&q, 0, sizeof q);
    q.s = s;
    q.island = island;
    q.tiny = DVCI_R(1e-12) * s->speed;
    q.flight = (dvci_flight *)dvci_alloc(&s->arena, (size_t)island->body_count, sizeof *q.flight);
    q.hits = (dvci_hit *)dvci_alloc(&s->arena, (size_t)count, sizeof *q.hits);
    if (s->arena.failed) { s->status = DVC_ERROR_SCRATCH; return; }
    for (i = 0; i < island->body_count; i++) dvci_start_flight(&q, i);
    dvci_share_with_joints(&q);
    for (i = 0; i < island->body_count; i++) dvci_aim_flight(&q, i);
    dvci_aim_hits(&q);
    for (events = 0; events < DVCI_IMPACT_EVENTS + 4 * island->body_count && s->status == DVC_OK && dvci_next_instant(&q); events++)
        dvci_reflect(&q);
    for (i = 0; i < island->body_count; i++) dvci_end_flight(&q, i, events > 0);
    dvci_end_hits(&q);
    s->bounced = s->bounced || events > 0;
    s->arena.used = mark;
}

/* ------------------------------------------------------------------------------------------------
 * >>advance  an island over h, in parts if need be
 * ------------------------------------------------------------------------------------------------ */

static bool dvci_is_still(const dvci_body *body)
{
    return dvci_zero_vec(body->v) && dvci_zero_vec(body->w) && dvci_zero_vec(body->gyro);
}

/* Energy that a contact may add. A push does positive work only where it undoes overlap or follows the end pose: p (G v)
 * where that is > 0. Friction opposes the slip of the surfaces' displacement. Moving surroundings and surfaces do whatever
 * work they do. */
static dvci_work dvci_contact_work(const dvci_step *s, const dvci_point *point)
{
    dvci_rate ra, rb;
    const dvci_group *g = &s->groups[point->group];
    const dvci_body *a = &s->bodies[dvci_group_body(s, g, 0)], *b = &s->bodies[dvci_group_body(s, g, 1)];
    dvc_vec3 push, va, vb, drift, friction;
    dvc_real opening, depth, impulse;
    dvci_work work = { 0, 0, 0, 0 };
    if (dvci_is_still(a) && dvci_is_still(b) && dvci_zero_vec(g->surface) && !point->bounces) return work;
    impulse = point->impulse - (s->leaving ? point->kept_impulse : 0);
    friction = s->leaving ? dvci_sub(point->friction, point->kept_friction) : point->friction;
    push = dvci_madd(friction, point->normal, impulse);
    ra = dvci_rate_of(s, a);
    rb = dvci_rate_of(s, b);
    va = dvci_add(ra.v, dvci_cross(ra.w, point->arm_a));
    vb = dvci_add(rb.v, dvci_cross(rb.w, point->arm_b));
    drift = dvci_add(point->bend, dvci_sub(dvci_cross(b->gyro, point->arm_b), dvci_cross(a->gyro, point->arm_a)));
    opening = dvci_dot(point->normal, dvci_sub(vb, va));
    if (point->bounces) /* p (u- + u+) / 2, and what forces of this step have to do with it */
        opening = (opening + 2 * dvci_point_opening(s, point, false) - dvci_point_opening(s, point, true)) / 2;
    work.put = (b->dynamic ? 0 : -dvci_dot(push, vb)) + (a->dynamic ? 0 : dvci_dot(push, va)) - dvci_dot(friction, g->surface);
    depth = dvci_min(-dvci_point_way(g, point), -g->gap); /* a point of a pair that was apart has nothing to make good */
    work.recovered = impulse * dvci_max(0, point->bounces ? opening : depth / s->h);
    work.allowed = work.put + dvci_max(0, impulse * opening);
    work.allowed += s->at_end ? dvci_max(0, dvci_dot(friction, dvci_add(dvci_sub(vb, va), g->surface))) : -dvci_dot(friction, drift);
    work.bounced = point->bounces ? work.allowed - work.put : 0;
    return work;
}

/* Constant forces put in what they do along the true way. What halves of a step make of that, they may. */
static void dvci_path_work(const dvci_step *s, const dvci_body *body, const dvc_body *user, const dvci_rate *at, dvci_work *work)
{
    dvc_vec3 weight = dvci_scale(dvci_flat(s->world->gravity, s->world->planar), user->mass);
    dvc_vec3 force = dvci_flat(user->force, s->world->planar), torque = s->world->planar ? dvci_vec(0, 0, user->torque.z) : user->torque;
    dvc_real h = dvci_kick(s), before = dvci_kinetic(user->mass, body->moments, body->v_start, body->q, body->w_start);
    work->allowed += h * dvci_dot(weight, at->v);
    work->put -= h * (dvci_dot(force, at->v) + dvci_dot(torque, at->w));
    if (s->leaving) return;
    work->allowed -= s->h * dvci_dot(weight, body->v); /* of which energy is counted as height */
    work->allowed += dvci_kinetic(user->mass, body->moments, dvci_add(body->v_start, body->hit_v), body->q, dvci_add(body->w_start, body->hit_w)) - before;
    work->put += s->h * (dvci_dot(force, body->v) + dvci_dot(torque, body->displacement));
}

/* Work of forces, torques and damping on the island's body i; of the bound what the inertia added for stability keeps is taken. */
static dvci_work dvci_force_work(const dvci_step *s, const dvci_island *island, int i)
{
    const dvci_body *body = dvci_island_body(s, island, i);
    const dvc_body *user = dvci_island_user(s, island, i);
    dvci_rate at = dvci_rate_of(s, body);
    dvc_vec3 v = s->leaving ? body->v_out : dvci_sub(body->v, body->jump_v), w = s->leaving ? body->w_out : dvci_sub(body->w, body->jump_w);
    dvc_real h = dvci_kick(s), lost = user->linear_damping * user->mass * dvci_dot(v, at.v)
                                      + user->angular_damping * dvci_dot(w, dvci_inertia_times(body, at.w));
    dvci_work work;
    work.allowed = h * (dvci_dot(body->force, at.v) + dvci_dot(body->torque, at.w) - lost);
    work.put = work.allowed - (body->stiff && !s->leaving ? h * dvci_dot(body->follow, at.w) : 0);
    work.allowed -= dvci_added_energy(s, body);
    if (s->at_end) dvci_path_work(s, body, user, &at, &work);
    work.recovered = work.bounced = 0;
    return work;
}

static void dvci_add_points_work(const dvci_step *s, int first, int end, int group, dvci_work *sum)
{
    int k;
    for (k = first; k < end; k++)
        if (s->points[k].group == group && s->points[k].enforced) dvci_add_work(sum, dvci_contact_work(s, &s->points[k]));
}

/* The work of all that acts in the island, as its solution stands. */
static dvci_work dvci_island_work(const dvci_step *s, const dvci_island *island, int first_cut)
{
    dvci_work sum = { 0, 0, 0, 0 };
    int i, k;
    for (i = 0; i < island->group_count; i++) {
        const dvci_group *g = dvci_island_group(s, island, i);
        const dvci_facet *last = &s->facets[g->first + g->count - 1];
        dvci_add_points_work(s, s->facets[g->first].first, last->first + last->count, (int)(g - s->groups), &sum);
        if (g->cuts > 0) dvci_add_points_work(s, first_cut, s->point_count, (int)(g - s->groups), &sum);
    }
    for (i = 0; i < island->link_count; i++) {
        const dvci_link *link = dvci_island_link(s, island, i);
        for (k = link->first; k < link->first + link->count; k++) dvci_add_work(&sum, dvci_link_row_work(s, link, &s->link_rows[k]));
    }
    for (i = 0; i < island->body_count; i++) dvci_add_work(&sum, dvci_force_work(s, island, i));
    return sum;
}

/* The same of bodies that nothing touches or ties, over the whole step. */
static dvci_work dvci_free_work(dvci_step *s, const dvci_island *island)
{
    dvci_work work = dvci_island_work(s, island, s->point_count);
    if (!s->at_end) return work;
    s->leaving = true;
    dvci_add_work(&work, dvci_island_work(s, island, s->point_count));
    s->leaving = false;
    return work;
}

/* By how much the island's energy grows, weight included, and what it has at the start. */
static dvc_real dvci_island_growth(const dvci_step *s, const dvci_island *island, dvc_real *start)
{
    dvc_real growth = 0;
    int i;
    for (*start = 0, i = 0; i < island->body_count; i++) {
        const dvci_body *body = dvci_island_body(s, island, i);
        dvc_real mass = dvci_island_user(s, island, i)->mass;
        dvc_real before = dvci_kinetic(mass, body->moments, body->v_start, body->q, body->w_start);
        growth += dvci_kinetic(mass, body->moments, s->at_end ? body->v_out : body->v, body->q_end, s->at_end ? body->w_out : body->w_end) - before;
        growth -= mass * s->h * dvci_dot(body->v, dvci_flat(s->world->gravity, s->world->planar));
        *start += before;
    }
    return growth;
}

static void dvci_accept_point(const dvci_step *s, dvci_point *point)
{
    dvc_vec3 push;
    if (!point->enforced) return;
    push = dvci_madd(point->friction, point->normal, point->impulse);
    if (s->at_end) push = dvci_sub(push, dvci_madd(point->kept_friction, point->normal, point->kept_impulse));
    if (point->goes_on) push = point->known;
    point->total_normal += point->impulse;
    dvci_add_impulse(s, point, s->at_end, push);
    point->total = dvci_add(point->total, point->first);
    point->turned = dvci_add(point->turned, point->first_turned);
}

/* The island's solution stands: impulses are summed, bound and certificate follow. */
DVCI_APART static void dvci_accept_island(dvci_step *s, const dvci_island *island, int first_cut, const dvci_attempt *attempt)
{
    bool exact = attempt->exact && !attempt->approximate && attempt->forgiven <= DVCI_GAP_DEEP && !attempt->pushed;
    int i, k, f;
    for (i = 0; i < island->group_count; i++) {
        const dvci_group *g = dvci_island_group(s, island, i);
        for (f = g->first; f < g->first + g->count; f++)
            for (k = s->facets[f].first; k < s->facets[f].first + s->facets[f].count; k++) dvci_accept_point(s, &s->points[k]);
    }
    for (k = first_cut; k < s->point_count; k++) dvci_accept_point(s, &s->points[k]);
    for (i = 0; i < island->link_count; i++) dvci_accept_link(s, dvci_island_link(s, island, i));
    dvci_add_work(&s->work, s->at_end ? attempt->work : dvci_island_work(s, island, first_cut));
    for (i = 0; i < island->body_count; i++) s->report.stiffened += dvci_island_body(s, island, i)->stiff;
    s->report.residual = dvci_max(s->report.residual, attempt->residual);
    s->report.inexact += attempt->open + (exact ? 0 : 1);
    s->approximate = s->approximate || attempt->approximate;
    s->report.fallbacks += attempt->fallback;
}

/* Where some contacts are struck and others only pressed, Newton's law may give energy that was not there. Does it? */
DVCI_APART static bool dvci_bounces_gain(const dvci_step *s, const dvci_island *island, int first_cut)
{
    dvc_real growth, start;
    bool bounces = false;
    int i;
    for (i = 0; i < island->group_count; i++) bounces = bounces || dvci_island_group(s, island, i)->bounces;
    if (!bounces) return false;
    growth = dvci_island_growth(s, island, &start);
    return growth - dvci_island_work(s, island, first_cut).allowed > DVCI_GAP_END * start;
}

/* Then impacts of this step are inelastic. */
DVCI_APART static void dvci_take_bounces(dvci_step *s, const dvci_island *island)
{
    int i, f, k;
    dvci_start_island(s, island);
    for (i = 0; i < island->group_count; i++) {
        dvci_group *g = dvci_island_group(s, island, i);
        g->restitution = 0;
        g->bounces = false;
        for (f = g->first; f < g->first + g->count; f++)
            for (k = s->facets[f].first; k < s->facets[f].first + s->facets[f].count; k++) dvci_point_start_row(s, &s->points[k]);
    }
    s->report.fallbacks++;
}

/* Energy gained that neither what acts nor errors made good explain, as a part of what is at work: rows are linear, and contacts and
 * joints have turned too far for them. */
static dvc_real dvci_gain_share(const dvci_step *s, const dvci_island *island, const dvci_attempt *attempt)
{
    dvc_real start, least = DVCI_STIR * s->speed, growth = dvci_island_growth(s, island, &start), share;
    dvci_work work = attempt->work;
    int i;
    if (!(growth - work.put - work.recovered > 0)) return 0;
    for (share = dvci_max(start, start + work.put + work.recovered), i = 0; i < island->body_count; i++)
        share += dvci_island_user(s, island, i)->mass * least * least;
    return (growth - work.put - work.recovered) / share;
}

/* A solution is redone in half steps if it leaves overlap, */
static bool dvci_misses_end(const dvci_island *island, const dvci_distance *distance, const dvci_attempt *attempt)
{
    if (attempt->approximate) return !island->large && distance->over > DVCI_GAP_LOOSE;
    return distance->over > DVCI_GAP_DEEP || distance->under > DVCI_GAP_DEEP || distance->off > DVCI_GAP_DEEP;
}

/* How many times as long as its parts are thick the pair's motion in this step is; 0: no matter, or not known on the way. */
static dvc_real dvci_long_way(const dvci_step *s, const dvci_group *g)
{
    dvc_real way = 0, thickness = 0;
    int k;
    for (k = 0; k < 2; k++) {
        const dvci_part *part = &s->parts[k ? g->part_b : g->part_a];
        const dvci_body *body = &s->bodies[part->body];
        if (part->kind == DVC_PLANE || (!body->dynamic && !(dvci_zero_vec(body->v) && dvci_zero_vec(body->w)))) return 0;
        way += s->h * (dvci_norm(body->v) + body->reach * dvci_norm(body->w));
        thickness += part->inner;
    }
    return g->sensor || g->own ? 0 : way / dvci_max(thickness, DVCI_R(1e-3) * g->size);
}

/* Are parts of the island deep in each other when it is moved by `h`? */
static bool dvci_is_deep_after(dvci_step *s, const dvci_island *island, dvc_real h)
{
    dvc_real whole = s->h;
    bool deep = false;
    int i;
    s->h = h;
    dvci_move_island(s, island);
    s->h = whole;
    for (i = 0; i < island->group_count && !deep; i++) {
        const dvci_group *g = dvci_island_group(s, island, i);
        dvc_real limit = (s->parts[g->part_a].inner + s->parts[g->part_b].inner) / 4;
        dvci_couple c;
        dvci_set_couple(&c, s, g, true);
        if (dvci_long_way(s, g) > 1) deep = dvci_best_axis(&c, -limit).gap < dvci_min(g->gap, 0) - limit;
    }
    return deep;
}

/* A hit may make a body spin so fast that it is beyond the other at the end. Where the way is long, it is looked at on the
 * way, too. */
DVCI_APART static bool dvci_passes_through(dvci_step *s, const dvci_island *island)
{
    dvc_real longest = 0;
    bool passes = false;
    int i, k, count;
    for (i = 0; i < island->group_count; i++) longest = dvci_max(longest, dvci_long_way(s, dvci_island_group(s, island, i)));
    if (!(longest > 1)) return false;
    count = (int)dvci_min(2 * longest + 1, 128);
    for (k = 1; k < count && !passes; k++) passes = dvci_is_deep_after(s, island, s->h * (dvc_real)k / (dvc_real)count);
    dvci_move_island(s, island);
    return passes;
}

/* The second half starts where the first ended. */
static void dvci_body_continue(dvci_body *body)
{
    body->x = body->end.x;
    body->q = body->q_end;
    body->v_start = body->v_out;
    body->w_start = body->w_out;
}

/* Forces, free motion and links where the island's bodies are now. */
static void dvci_start_island(dvci_step *s, const dvci_island *island)
{
    int i;
    dvci_island_forces(s, island);
    for (i = 0; i < island->body_count; i++) dvci_body_free(s, s->island_bodies[island->first_body + i]);
    for (i = 0; i < island->link_count; i++) dvci_start_link(s, dvci_island_link(s, island, i));
}

/* Impulses of a point of a half step go to the same features' point of the whole step, or to a new one behind the others. */
DVCI_APART static void dvci_tally_point(dvci_step *s, const dvci_island *island, int first_cut, const dvci_group *from,
                             const dvci_point *half)
{
    dvci_point copy = *half, *found = NULL;
    dvc_real total_normal = half->total_normal; /* `half` itself may be what a new point is written over */
    dvc_vec3 total = half->total, turned = half->turned;
    int i, f, k;
    for (i = 0; i < island->group_count && !found; i++) {
        dvci_group *g = dvci_island_group(s, island, i);
        if (g->part_a != from->part_a || g->part_b != from->part_b) continue;
        for (f = g->first; f < g->first + g->count && !found; f++)
            for (k = s->facets[f].first; k < s->facets[f].first + s->facets[f].count && !found; k++)
                if (s->points[k].feature_a == half->feature_a && s->points[k].feature_b == half->feature_b) found = &s->points[k];
        for (k = first_cut; k < s->point_count && !found; k++)
            if (s->points[k].group == g - s->groups && s->points[k].feature_a == half->feature_a
                && s->points[k].feature_b == half->feature_b)
                found = &s->points[k];
        copy.group = (int)(g - s->groups);
        copy.facet = g->chosen;
        g->cuts += found ? 0 : 1;
    }
    if (!found) {
        copy.cut = true;
        copy.total_normal = 0;
        copy.total = copy.turned = dvci_vec(0, 0, 0);
        s->points[s->point_count] = copy;
        found = &s->points[s->point_count++];
    }
    found->enforced = true;
    found->warm = copy.warm;
    found->total_normal += total_normal;
    found->total = dvci_add(found->total, total);
    found->turned = dvci_add(found->turned, turned);
}

/* One of the halves: new groups for the island's pairs, behind all others, solved as an island of their own. */
DVCI_APART static void dvci_advance_half(dvci_step *s, const dvci_island *island, int first_cut, int level)
{
    int groups = s->group_count, facets = s->facet_count, points = s->point_count, listed = s->island_group_count, i, k, end;
    dvci_island half = *island;
    for (i = 0; i < island->group_count; i++) {
        const dvci_group *g = dvci_island_group(s, island, i);
        for (k = 0; k < 2; k++) {
            int part = k ? g->part_b : g->part_a;
            if (!s->bodies[s->parts[part].body].fixed)
                dvci_part_place(&s->world->shapes[part], s->world->planar, &s->bodies[s->parts[part].body], &s->parts[part]);
        }
    }
    if (s->threads == 1) DVC_STAGE("contacts");
    for (i = 0; i < island->group_count; i++) {
        int before = s->group_count;
        const dvci_group *g = dvci_island_group(s, island, i);
        if (g->own) dvci_continue_own(s, g);
        else dvci_visit_pair(s, g->part_a, g->part_b);
        if (s->group_count == before) dvci_island_group(s, island, i)->unseen = true;
    }
    half.first_group = listed;
    half.group_count = s->group_count - groups;
    for (i = groups; i < s->group_count; i++) {
        s->groups[i].island = island->index;
        s->island_groups[s->island_group_count++] = i;
    }
    if (s->points_over > 0) s->status = DVC_ERROR_CONTACTS;
    if (s->arena.failed) s->status = DVC_ERROR_SCRATCH;
    s->rough = false;
    if (s->status == DVC_OK) dvci_advance_island(s, &half, level);
    if (s->status != DVC_OK) return;
    for (i = groups; i < s->group_count; i++)
        for (k = 0; s->groups[i].unseen && k < island->group_count; k++)
            if (!dvci_group_before(&s->groups[i], dvci_island_group(s, island, k))
                && !dvci_group_before(dvci_island_group(s, island, k), &s->groups[i]))
                dvci_island_group(s, island, k)->unseen = true;
    end = s->point_count;
    s->point_count = points;
    for (i = points; i < end; i++) /* writes never overtake reads */
        if (s->points[i].total_normal > 0 || !dvci_zero_vec(s->points[i].total))
            dvci_tally_point(s, island, first_cut, &s->groups[s->points[i].group], &s->points[i]);
    s->group_count = groups;
    s->facet_count = facets;
    s->island_group_count = listed;
}

/* Bodies of the island and the moving bodies they touch, as they are. */
DVCI_APART static int dvci_save_bodies(dvci_step *s, const dvci_island *island, int *index)
{
    int count = 0, i, k, m;
    for (i = 0; i < island->body_count; i++) index[count++] = s->island_bodies[island->first_body + i];
    for (i = 0; i < island->group_count + island->link_count; i++)
        for (k = 0; k < 2; k++) {
            const dvci_link *link = i < island->group_count ? NULL : dvci_island_link(s, island, i - island->group_count);
            int body = !link ? dvci_group_body(s, dvci_island_group(s, island, i), k) : k ? link->body_b : link->body_a;
            if (body < 0 || s->world->bodies[body].kind != DVC_KINEMATIC) continue;
            for (m = island->body_count; m < count && index[m] != body; m++) {}
            if (m == count) index[count++] = body;
        }
    return count;
}

/* The island's step as two half steps; forces stay, motions are asked at the middle, impulses add up. */
DVCI_APART static void dvci_halve_island(dvci_step *s, const dvci_island *island, int first_cut, int level)
{
    size_t mark = s->arena.used;
    dvc_real h = s->h;
    double time = s->time;
    size_t most = (size_t)island->body_count + 2 * ((size_t)island->group_count + (size_t)island->link_count);
    int *index = dvci_alloc_ints(&s->arena, most), count, i, half, g;
    dvci_body *saved;
    if (s->arena.failed) { s->status = DVC_ERROR_SCRATCH; return; }
    count = dvci_save_bodies(s, island, index);
    saved = (dvci_body *)dvci_alloc(&s->arena, (size_t)count, sizeof *saved);
    if (s->arena.failed) { s->status = DVC_ERROR_SCRATCH; return; }
    for (i = 0; i < count; i++) saved[i] = s->bodies[index[i]];
    for (i = 0; i < s->world->body_count && s->world->collide; i++) {
        if (i < s->first_body && !s->met_bodies[i]) continue;
        s->bodies[i].x_step = s->bodies[i].x;
        s->bodies[i].q_step = s->bodies[i].q;
    }
    s->report.halvings++;
    s->h = h / 2;
    for (half = 0; half < 2 && s->status == DVC_OK; half++) {
        s->time = time + (double)half * (double)s->h;
        for (i = 0; half == 1 && i < island->body_count; i++) dvci_body_continue(&s->bodies[index[i]]);
        for (i = island->body_count; i < count; i++) dvci_body_given(s, index[i], s->time, s->h);
        dvci_start_island(s, island);
        if (s->status == DVC_OK) dvci_advance_half(s, island, first_cut, level + 1);
    }
    s->h = h;
    s->time = time;
    for (i = 0; i < count; i++) {
        dvci_body *body = &s->bodies[index[i]];
        if (i < island->body_count) {
            dvc_quat turn = dvci_quat_unit(dvci_quat_mul(body->q_end, dvci_quat_conj(saved[i].q)));
            saved[i].v = body->v;
            saved[i].w = body->w;
            saved[i].v_out = body->v_out;
            saved[i].w_out = body->w_out;
            saved[i].w_end = body->w_end;
            saved[i].q_end = body->q_end;
            saved[i].end.x = body->end.x;
            saved[i].end.turn = dvci_quat_matrix(turn);
            saved[i].displacement = dvci_scale(dvci_quat_log(turn), 1 / h);
        }
        *body = saved[i];
    }
    for (g = 0; g < island->group_count; g++)
        for (i = 0; i < 2; i++) {
            int part = i ? dvci_island_group(s, island, g)->part_b : dvci_island_group(s, island, g)->part_a;
            if (!s->bodies[s->parts[part].body].fixed)
                dvci_part_place(&s->world->shapes[part], s->world->planar, &s->bodies[s->parts[part].body], &s->parts[part]);
        }
    s->arena.used = mark;
}

/* ---- what a solution of W's constraints is worth ----
 * They are linearised at the start, as all of the literature's models. The pair as a whole is looked at where it ends: it may
 * overlap by what its turn within the step makes of gaps that are right to first order, and by no more, nor gain energy.
 */

/* What the turn of the pair's bodies within the step does to a gap beyond first order, at most. */
static dvc_real dvci_turn_bend(const dvci_step *s, const dvci_group *g)
{
    const dvci_part *part_a = &s->parts[g->part_a], *part_b = &s->parts[g->part_b];
    const dvci_body *a = &s->bodies[part_a->body], *b = &s->bodies[part_b->body];
    dvc_real turn = s->h * (dvci_norm(a->displacement) + dvci_norm(b->displacement));
    dvc_real way = s->h * dvci_norm(dvci_sub(b->v, a->v));
    return turn * (turn / 2 * (dvci_lever(s, part_a, part_b) + dvci_lever(s, part_b, part_a)) + way);
}

/* The groups of the same pair as group i, if that is the first of them; else none. Returns their number. */
static int dvci_pair_groups(const dvci_step *s, const dvci_island *island, int i)
{
    const dvci_group *g = dvci_island_group(s, island, i);
    int count = 0;
    if (g->sensor || (i > 0 && !dvci_group_before(dvci_island_group(s, island, i - 1), g))) return 0;
    while (i + count < island->group_count && !dvci_group_before(g, dvci_island_group(s, island, i + count))) count++;
    return count;
}

/* What a gap may be off where the pair ends. */
static dvc_real dvci_literal_slack(const dvci_step *s, const dvci_group *g)
{
    return dvci_turn_bend(s, g) + DVCI_GAP_CHECK * g->size;
}

/* Gap of a pair where it ends, or the first found beyond the slack. */
DVCI_APART static dvc_real dvci_literal_gap(dvci_step *s, const dvci_group *g)
{
    dvc_real enough = 2 * dvci_literal_slack(s, g);
    dvci_cone all = dvci_any_normal();
    dvci_couple c;
    dvci_set_couple(&c, s, g, true);
    return dvci_pair_has_model(&c) ? dvci_polytope_room(&c, &all, enough) : dvci_best_axis(&c, enough).gap;
}

/* Does the group push although the pair, with such a gap, ends apart, or where no plane near its normal parts it? */
static bool dvci_pushes_wrongly(dvci_step *s, const dvci_group *g, dvc_real gap)
{
    const dvci_point *primary = &s->points[s->facets[g->first].first];
    dvc_real slack = dvci_literal_slack(s, g), least = dvci_min(0, gap) - slack, unused;
    dvci_cone near;
    dvci_couple c;
    dvc_vec3 at;
    if (!g->literal || g->released || g->bounces || !primary->enforced || !(primary->impulse > 0)) return false;
    if (gap > slack) return true;
    dvci_set_couple(&c, s, g, true);
    if (!dvci_measure_features(&c, primary, &unused, &near.n, &at)) return true;
    near.cosine = g->cosine;
    return dvci_gap_along(&c, near.n) < least && dvci_polytope_room(&c, &near, least) < least;
}

/* Releases constraints that push wrongly. Returns how many. */
static int dvci_release_wrong(dvci_step *s, const dvci_island *island)
{
    int i, k, count, released = 0;
    if (s->world->time_stepping == DVC_ANITESCU_POTRA) return 0;
    for (i = 0; i < island->group_count; i++) {
        dvc_real gap;
        count = dvci_pair_groups(s, island, i);
        if (count == 0 || !dvci_island_group(s, island, i)->literal) continue;
        gap = dvci_literal_gap(s, dvci_island_group(s, island, i));
        for (k = i; k < i + count; k++) {
            if (!dvci_pushes_wrongly(s, dvci_island_group(s, island, k), gap)) continue;
            dvci_island_group(s, island, k)->released = true;
            s->report.flips++;
            released++;
        }
    }
    return released;
}

/* Pairs that overlap by more than their turn explains, and forces on contacts that are not closed. */
static int dvci_literal_faults(dvci_step *s, const dvci_island *island)
{
    int i, k, count, faults = 0;
    if (s->world->time_stepping == DVC_ANITESCU_POTRA) return 0; /* promises neither */
    for (i = 0; i < island->group_count; i++) {
        count = dvci_pair_groups(s, island, i);
        for (k = i; k < i + count; k++) {
            const dvci_group *g = dvci_island_group(s, island, k);
            faults += dvci_abs(dvci_literal_fault(s, g)) > DVCI_GAP_CHECK * g->size;
        }
        if (count == 0) continue;
        faults += dvci_literal_gap(s, dvci_island_group(s, island, i)) < -dvci_literal_slack(s, dvci_island_group(s, island, i));
    }
    return faults;
}

/* Has the island gained energy that neither forces nor motors nor surroundings have given? Overlap that is made good gives nothing, a
 * bounce what its bound says. */
static bool dvci_island_gains(const dvci_step *s, const dvci_island *island, int first_cut)
{
    dvci_work work = dvci_island_work(s, island, first_cut);
    dvc_real size, gained = dvci_island_growth(s, island, &size) - work.put - work.bounced;
    int i;
    for (i = 0; i < island->body_count; i++) {
        const dvci_body *body = dvci_island_body(s, island, i);
        dvc_real slow = s->gravity * s->h + DVCI_GAP_CHECK * body->reach / s->h; /* what rests has rounding to make good, too */
        size += dvci_island_user(s, island, i)->mass * slow * slow / 2;
    }
    return gained > DVCI_GAIN * size;
}

/* Such a share of the overlap that is there may stay. */
static void dvci_forgive_share(dvci_step *s, const dvci_island *island, int first_cut, dvc_real share)
{
    int i, f, k;
    for (i = 0; i < island->group_count; i++) {
        dvci_group *g = dvci_island_group(s, island, i);
        g->gone = (1 - share) * dvci_min(0, g->gap);
        for (f = g->first; f < g->first + g->count; f++)
            for (k = s->facets[f].first; k < s->facets[f].first + s->facets[f].count; k++) dvci_point_start_row(s, &s->points[k]);
    }
    for (k = first_cut; k < s->point_count; k++) dvci_point_start_row(s, &s->points[k]);
}

/* Solves again what has been changed since the iterate was kept. False: that one is better, and it stands again. */
static bool dvci_solve_changed(dvci_step *s, const dvci_island *island, int first_cut, bool keeps_energy, int *faults,
                               dvci_attempt *attempt)
{
    dvci_attempt again = dvci_solve_linearised(s, island, first_cut);
    int found;
    if (s->status != DVC_OK) return false;
    dvci_move_island(s, island);
    found = dvci_literal_faults(s, island);
    if (again.exact && again.open <= attempt->open && found <= *faults
        && !(keeps_energy && dvci_island_gains(s, island, first_cut))) {
        again.fallback = again.fallback || attempt->fallback;
        *attempt = again;
        *faults = found;
        return true;
    }
    dvci_keep_iterate(s, island, first_cut, false);
    dvci_move_island(s, island);
    return false;
}

/* A step that gains energy by making good what it finds of overlap makes good less of it, in the end nothing: the next ones will,
 * where it takes nothing. True if it gains none so, and leaves no more overlap than its own turn explains. */
static bool dvci_keep_energy(dvci_step *s, const dvci_island *island, int first_cut, dvci_attempt *attempt)
{
    bool kept = false;
    int i, k, faults = 0;
    for (i = 0; i < island->group_count; i++) dvci_island_group(s, island, i)->strict = dvci_island_group(s, island, i)->gone;
    dvci_keep_iterate(s, island, first_cut, true);
    for (k = 1; k <= DVCI_SHARES && !kept && s->status == DVC_OK; k++) {
        dvci_forgive_share(s, island, first_cut, (dvc_real)k / DVCI_SHARES);
        kept = dvci_solve_changed(s, island, first_cut, true, &faults, attempt);
    }
    for (i = 0; i < island->group_count; i++) dvci_island_group(s, island, i)->gone = dvci_island_group(s, island, i)->strict;
    attempt->fallback = attempt->fallback || kept;
    return kept;
}

/* Is the island's problem too large to be solved several times? It is dense. */
static bool dvci_literal_is_large(const dvci_step *s, const dvci_island *island)
{
    int i, f, k, rows = 0;
    for (i = 0; i < island->group_count; i++) {
        const dvci_group *g = dvci_island_group(s, island, i);
        for (f = g->first; f < g->first + g->count; f++)
            for (k = s->facets[f].first; k < s->facets[f].first + s->facets[f].count; k++)
                rows += dvci_point_row_count(s, &s->points[k], DVCI_SEGMENTS);
    }
    return rows > DVCI_PIVOT_ROWS;
}

/* The island is where it ends: what have W's constraints come to? */
DVCI_APART static void dvci_end_literal(dvci_step *s, const dvci_island *island, int first_cut, dvci_attempt *attempt)
{
    int round, faults;
    bool large = dvci_literal_is_large(s, island);
    if (!attempt->exact || attempt->approximate) return; /* that is told already */
    faults = dvci_literal_faults(s, island);
    for (round = 0; !large && round < DVCI_SWITCHES; round++) {
        dvci_keep_iterate(s, island, first_cut, true);
        if (dvci_release_wrong(s, island) == 0) break;
        if (dvci_solve_changed(s, island, first_cut, false, &faults, attempt)) continue;
        attempt->open++; /* what was released was needed */
        return;
    }
    if (dvci_island_gains(s, island, first_cut))
        attempt->open += large || faults > 0 || !dvci_keep_energy(s, island, first_cut, attempt);
    attempt->open += faults;
}

/* The attempt is discarded: the points that checks have added go, and with them the facets that were not foreseen; nothing is
 * enforced; joints count their turns from the start of the step again. */
static void dvci_forget_attempt(dvci_step *s, const dvci_island *island, int first_cut)
{
    int i, f, k;
    s->point_count = first_cut;
    for (i = 0; i < island->group_count; i++) {
        dvci_group *g = dvci_island_group(s, island, i);
        g->cuts = g->switches = 0;
        g->searched = g->measured = g->released = false;
        if (g->chosen >= g->count) dvci_choose_facet(s, g);
        for (f = g->first; f < g->first + g->count; f++)
            for (k = s->facets[f].first; k < s->facets[f].first + s->facets[f].count; k++) {
                s->points[k].total_normal = 0;
                s->points[k].total = s->points[k].turned = dvci_vec(0, 0, 0);
            }
    }
    for (i = 0; i < island->link_count; i++) {
        dvci_link *link = dvci_island_link(s, island, i);
        link->turn_end = link->turn;
    }
    dvci_clear_enforced(s, island, first_cut);
}

/* Error that joints are left with, as the speed that would have closed it, in units of V; less than DVCI_GAP_END is none. */
static dvc_real dvci_joints_left(const dvci_step *s, const dvci_island *island)
{
    dvc_real worst = 0;
    int i, k;
    for (i = 0; i < island->link_count; i++) {
        const dvci_link *link = dvci_island_link(s, island, i);
        for (k = link->first; k < link->first + link->count; k++) {
            const dvci_link_row *row = &s->link_rows[k];
            dvc_real left = dvci_zero_vec(row->force_v) ? row->off * link->size : row->off;
            if (left > DVCI_GAP_END * link->size) worst = dvci_max(worst, left);
        }
    }
    return worst / (s->h * s->speed);
}

/* Is there room for the contacts of half steps? If there is none, the whole one stands, and its gain is told. */
static bool dvci_halves_fit(const dvci_step *s, const dvci_island *island)
{
    int points = 0, i, f;
    for (i = 0; i < island->group_count; i++) {
        const dvci_group *g = dvci_island_group(s, island, i);
        for (f = g->first; f < g->first + g->count; f++) points += s->facets[f].count;
    }
    return s->point_count + 2 * points <= s->world->contact_capacity;
}

/* A body of the literature's steps ends with the velocity that moved it. */
static void dvci_body_ends(dvci_body *body)
{
    body->v_out = body->v;
    body->w_out = body->w_end;
}

/* Depth is bounded by DVCI_HALVINGS, and an island bounces once. */
static void dvci_advance_island(dvci_step *s, const dvci_island *island, int level)
{
    int first_cut = s->point_count, i;
    bool spare, halve;
    dvci_attempt attempt;
    dvci_distance distance;
    distance.over = distance.under = distance.off = 0;
    if (s->threads == 1) DVC_STAGE("solve");
    s->speed = dvci_island_speed(s, island);
    if (s->at_end) dvci_strike_island(s, island);
    if (s->status != DVC_OK) return;
    attempt = dvci_solve_linearised(s, island, first_cut);
    if (s->threads == 1) DVC_STAGE("end");
    if (s->status != DVC_OK) return;
    if (!s->at_end) {
        dvci_move_island(s, island);
        if (s->world->contact_model == DVC_PEG_LITERAL) dvci_end_literal(s, island, first_cut, &attempt);
        if (s->status != DVC_OK) return;
        dvci_measure_links(s, island);
    } else {
        spare = island->link_count > 0 && attempt.dependent && dvci_find_spare_rows(s, island);
        if (s->status == DVC_OK) distance = dvci_solve_end_pose(s, island, first_cut, level, &attempt);
        if (s->status != DVC_OK) return;
        halve = level < DVCI_HALVINGS && (dvci_misses_end(island, &distance, &attempt)
                                          || (!attempt.approximate && dvci_passes_through(s, island)));
        if (!halve) dvci_end_velocities(s, island, first_cut, &attempt);
        if (spare && !halve && s->status == DVC_OK) dvci_share_reactions(s, island);
        if (s->status != DVC_OK) return;
        halve = halve || (level < DVCI_HALVINGS && !attempt.approximate && dvci_gain_share(s, island, &attempt) > DVCI_GAIN_MOST
                          && dvci_halves_fit(s, island));
        for (attempt.open = 0, i = 0; i < island->group_count; i++)
            attempt.open += dvci_island_group(s, island, i)->over > DVCI_GAP_DEEP;
        attempt.open += attempt.open == 0 && dvci_max(distance.under, distance.off) > DVCI_GAP_DEEP;
        attempt.residual = dvci_max(attempt.residual, dvci_joints_left(s, island));
        if (halve) {
            dvci_forget_attempt(s, island, first_cut);
            dvci_halve_island(s, island, first_cut, level);
            return;
        }
    }
    if (dvci_bounces_gain(s, island, first_cut)) {
        dvci_forget_attempt(s, island, first_cut);
        dvci_take_bounces(s, island);
        dvci_advance_island(s, island, level);
        return;
    }
    dvci_accept_island(s, island, first_cut, &attempt);
    dvci_correct_joints(s, island);
    for (i = 0; !s->at_end && i < island->body_count; i++) dvci_body_ends(dvci_island_body(s, island, i));
}

/* ------------------------------------------------------------------------------------------------
 * >>foresight  bodies that went farther than foreseen
 * ------------------------------------------------------------------------------------------------
 * No eps knows the speed a body gains from being struck in this very step. Where such a body, at the end, overlaps
 * something that was not thought near, the step is begun again with the reach it turned out to need (errata, 5.1).
 */

/* How far the body's points may be from where its start velocity would have them, beyond the foreseen gain. */
static dvc_real dvci_unforeseen(const dvci_step *s, const dvci_body *body)
{
    dvc_real change = dvci_norm(dvci_sub(body->v, body->v_start))
                      + body->reach * dvci_norm(dvci_sub(body->displacement, body->w_start));
    return s->h * (change - dvci_body_gain(body, body->reach));
}

/* The group of two parts, or NULL: the first in the order of shapes. */
static const dvci_group *dvci_find_group(const dvci_step *s, int part_a, int part_b)
{
    const dvci_group *found;
    int from = 0, to = s->group_count;
    dvci_group key;
    key.part_a = part_a;
    key.part_b = part_b;
    while (from < to) {
        int middle = from + (to - from) / 2;
        if (dvci_group_before(&s->groups[s->order[middle]], &key)) from = middle + 1;
        else to = middle;
    }
    found = from < s->group_count ? &s->groups[s->order[from]] : NULL;
    return found && found->part_a == part_a && found->part_b == part_b ? found : NULL;
}

/* Was the pair looked at where it ended? In half steps it may have been far from its start. */
static bool dvci_group_known(const dvci_step *s, int part_a, int part_b)
{
    const dvci_group *g = dvci_find_group(s, part_a, part_b);
    return g && !g->unseen;
}

/* The box of the part from where it started to where it ends. */
static void dvci_box_path(dvci_part *part, const dvci_body *body, const dvci_part *end)
{
    dvc_vec3 a = dvci_add(body->x, part->low), b = dvci_add(body->end.x, end->low);
    part->swept_low = dvci_vec(dvci_min(a.x, b.x), dvci_min(a.y, b.y), dvci_min(a.z, b.z));
    a = dvci_add(body->x, part->high);
    b = dvci_add(body->end.x, end->high);
    part->swept_high = dvci_vec(dvci_max(a.x, b.x), dvci_max(a.y, b.y), dvci_max(a.z, b.z));
}

/* The terrain's boxes have room around them that paths have not. */
static bool dvci_terrain_apart(const dvci_step *s, int part_a, int part_b)
{
    const dvci_part *a = &s->parts[part_a], *b = &s->parts[part_b];
    return part_a < s->first_shape && a->kind != DVC_PLANE && b->kind != DVC_PLANE
        && !dvci_boxes_meet(a->swept_low, a->swept_high, b->swept_low, b->swept_high);
}

/* The body's reach becomes what it needed, and `more`. */
static void dvci_raise_reach(dvci_body *body, dvc_real more)
{
    if (body->pending > 0) body->extra = dvci_max(body->extra, body->pending * DVCI_R(1.001) + more);
}

/* A pair that is missed again although its reach was raised needs more than its bodies' motion tells: its depth, twice as much of it
 * with each repeat. (Not where islands are swept: what they leave is no matter of reach.) */
static void dvci_visit_missed(dvci_step *s, int part_a, int part_b)
{
    dvci_body *a = &s->bodies[s->parts[part_a].body], *b = &s->bodies[s->parts[part_b].body];
    dvci_group g;
    dvci_couple c;
    dvc_real allowed, depth;
    bool passed;
    if (!(a->pending > 0) && !(b->pending > 0)) return;
    if (dvci_terrain_apart(s, part_a, part_b) || dvci_group_known(s, part_a, part_b)) return;
    memset(&g, 0, sizeof g);
    g.part_a = part_a;
    g.part_b = part_b;
    g.size = dvci_pair_size(&s->parts[part_a], &s->parts[part_b], 0);
    dvci_set_couple(&c, s, &g, true);
    passed = s->bounced && dvci_long_way(s, &g) > 1 && (a->pending > a->extra || b->pending > b->extra); /* beyond it, perhaps */
    allowed = -(s->approximate ? DVCI_MISSED_LARGE : DVCI_GAP_END) * g.size;
    depth = -dvci_best_axis(&c, s->approximate ? allowed : 0).gap;
    if (!passed && depth <= -allowed) return;
    depth = s->approximate ? 0 : dvci_max(0, depth) * (dvc_real)((1 << dvci_imin(s->report.repeats, 30)) - 1);
    dvci_raise_reach(a, depth);
    dvci_raise_reach(b, depth);
    s->missed++;
}

/* Looks for overlaps that were not foreseen; the bodies' reach is raised where there are some. */
static bool dvci_something_missed(dvci_step *s)
{
    bool any = false;
    int i;
    s->missed = 0;
    if (s->world->contact_model == DVC_CORRECTIVE || s->world->collide) return false; /* foresees nothing */
    for (i = s->first_body; i < s->world->body_count; i++) {
        dvci_body *body = &s->bodies[i];
        body->pending = body->dynamic ? dvci_unforeseen(s, body) : 0;
        any = any || body->pending > body->extra;
    }
    for (i = s->first_shape; any && i < s->world->shape_count; i++) {
        dvci_part *part = &s->parts[i];
        const dvci_body *body = &s->bodies[part->body];
        if (part->kind == DVC_NO_SHAPE) continue;
        if (!body->fixed) dvci_part_turn(part, body, &s->ends[i], s->end_vertices[i], s->end_normals[i]);
        dvci_box_path(part, body, body->fixed ? part : &s->ends[i]);
    }
    if (any) dvci_sweep_pairs(s, dvci_visit_missed);
    return s->missed > 0;
}

/* ------------------------------------------------------------------------------------------------
 * >>store  results
 * ------------------------------------------------------------------------------------------------ */

/* Gap of a point at the end, for the list of contacts. */
static void dvci_measure_end_point(dvci_step *s, const dvci_couple *c, bool measured, dvci_point *point)
{
    s->report.enforced += point->enforced;
    if (measured && point->enforced) return;
    if (!dvci_point_end_row(s, c, point, DVCI_GAP_ONLY)) point->end_gap = point->gap;
}

/* Gap of a pair at the end, for the certificate. */
static dvc_real dvci_measure_end_pair(dvci_step *s, const dvci_group *g, const dvci_couple *c)
{
    dvc_real gap = 0, rounding = -DVCI_GAP_END * g->size / 100;
    int f;
    if (g->measured && g->end_gap >= -g->rounding) return g->end_gap;
    if (!g->sensor) gap = dvci_facet_gap(c, dvci_chosen_facet(s, g), -g->rounding);
    for (f = 0; f < g->count && gap < rounding; f++) gap = dvci_max(gap, dvci_facet_gap(c, &s->facets[g->first + f], rounding));
    if (s->approximate) rounding = -DVCI_GAP_LOOSE * g->size; /* of what is not solved, only what would be deep is searched */
    if (gap < rounding && !g->own) {
        dvci_couple search = *c;
        gap = g->searched ? g->end_gap : dvci_max(gap, dvci_best_axis(&search, rounding).gap);
    }
    return gap;
}

/* Gaps at the end: of every point, and of every pair. */
static void dvci_measure_end(dvci_step *s)
{
    int i, f, k, deep = 0;
    dvci_turn_groups(s, NULL, s->group_count);
    for (i = 0; i < s->group_count; i++) {
        dvci_group *g = &s->groups[i];
        dvci_couple c;
        dvc_real gap;
        dvci_set_couple(&c, s, g, true);
        for (f = g->first; f < g->first + g->count; f++)
            for (k = s->facets[f].first; k < s->facets[f].first + s->facets[f].count; k++)
                dvci_measure_end_point(s, &c, g->measured, &s->points[k]);
        gap = dvci_measure_end_pair(s, g, &c);
        s->report.worst_gap = dvci_min(s->report.worst_gap, gap);
        deep += gap < dvci_forgiven(g) - dvci_max(DVCI_GAP_DEEP * g->size, g->rounding);
    }
    for (k = s->base_points; k < s->point_count; k++) {
        dvci_couple c;
        dvci_set_couple(&c, s, &s->groups[s->points[k].group], true);
        dvci_measure_end_point(s, &c, false, &s->points[k]);
    }
    if (s->at_end) s->report.inexact = dvci_imax(s->report.inexact, deep);
}

/* 0 for what is lost, never -0; what is no number stays none. */
static dvc_real dvci_gained(dvc_real x) { return x <= 0 ? 0 : x; }

/* Energy gained: beyond what forces and surroundings have put in, and beyond what the exact bound allows. */
static void dvci_measure_energy(dvci_step *s)
{
    dvc_real growth = 0;
    int i;
    for (i = s->first_body; i < s->world->body_count; i++) {
        const dvci_body *body = &s->bodies[i];
        const dvc_body *user = &s->world->bodies[i];
        dvc_vec3 way = dvci_sub(body->end.x, body->x);
        if (!body->dynamic) continue;
        growth += dvci_kinetic(user->mass, body->moments, body->v_out, body->q_end, body->w_out);
        growth -= dvci_kinetic(user->mass, body->moments, body->v_start, body->q, body->w_start);
        growth -= user->mass * dvci_dot(way, dvci_flat(s->world->gravity, s->world->planar));
    }
    s->report.energy_gain = dvci_gained(growth - s->work.put);
    s->report.energy_excess = dvci_gained(growth - s->work.allowed);
}

/* ---- is all that is to be written such as the next step takes? ---- */

/* Bodies that end beyond all measure, or nowhere, are an error; the first one is the culprit. */
static void dvci_check_bodies_end(dvci_step *s, dvc_status status)
{
    int i;
    for (i = s->first_body; i < s->world->body_count; i++) {
        const dvci_body *body = &s->bodies[i];
        if (!body->present || body->fixed) continue;
        if (dvci_within_vec(body->end.x, DVC_LARGEST) && dvci_finite_quat(body->q_end) && dvci_within_vec(body->v, DVC_LARGEST)
            && dvci_within_vec(body->w_end, DVC_LARGEST) && dvci_within_vec(body->v_out, DVC_LARGEST)
            && dvci_within_vec(body->w_out, DVC_LARGEST))
            continue;
        s->status = status;
        s->culprit = i;
        return;
    }
}

static bool dvci_axis_is_finite(const dvc_axis *axis)
{
    return dvci_within(axis->position, DVC_LARGEST) && dvci_finite(axis->velocity) && dvci_finite(axis->impulse);
}

/* Joints as they will be written, and springs. */
static bool dvci_links_are_finite(const dvci_step *s)
{
    int i;
    for (i = 0; i < s->link_count; i++) {
        const dvci_link *link = &s->links[i];
        if (link->kind == DVCI_LINK_JOINT) {
            dvc_joint joint = s->world->joints[link->index];
            dvci_store_joint(s, link, &joint);
            if (!dvci_axis_is_finite(&joint.turn) || !dvci_axis_is_finite(&joint.slide) || !dvci_finite_vec(joint.impulse)
                || !dvci_finite_vec(joint.angular_impulse))
                return false;
        }
        if (link->kind == DVCI_LINK_SPRING && !dvci_finite(link->pulled / s->h)) return false;
    }
    return true;
}

static bool dvci_contacts_are_finite(const dvci_step *s)
{
    int i;
    for (i = 0; i < s->point_count; i++) {
        const dvci_point *p = &s->points[i];
        if (!dvci_finite(p->end_gap + p->total_normal) || !dvci_finite_vec(p->total) || !dvci_finite_vec(p->normal)
            || !dvci_finite_vec(p->arm_a))
            return false;
    }
    for (i = 0; s->ended != s->world->contacts && i < s->ended_count; i++) { /* else they stay as they are */
        const dvc_contact *c = &s->ended[i];
        if (!dvci_finite(c->gap + c->normal_impulse) || !dvci_finite_vec(c->point) || !dvci_finite_vec(c->normal)
            || !dvci_finite_vec(c->impulse))
            return false;
    }
    return true;
}

/* Whatever is not is an error, and nothing is written. Where bodies end has been looked at. */
static void dvci_check_result(dvci_step *s)
{
    const dvc_report *r = &s->report;
    if (!dvci_finite(r->residual) || !dvci_finite(r->worst_gap) || !dvci_finite(r->energy_excess) || !dvci_links_are_finite(s)
        || !dvci_contacts_are_finite(s))
        s->status = DVC_ERROR_NOT_FINITE;
}

/* Do the shapes overlap where they end? No facet keeps them apart then, nor any axis. */
static bool dvci_group_overlaps(dvci_step *s, const dvci_group *g)
{
    dvci_couple c;
    int f;
    dvci_set_couple(&c, s, g, true);
    for (f = g->first; f < g->first + g->count; f++)
        if (dvci_facet_gap(&c, &s->facets[f], DVC_INFINITY) > 0) return false;
    return g->own || !(dvci_best_axis(&c, DVCI_R(0)).gap > 0);
}

/* Does the pair touch: does one of its points push, or, for a sensor, do the shapes overlap? */
static bool dvci_group_touches(dvci_step *s, const dvci_group *g)
{
    bool touches = g->sensor && dvci_group_overlaps(s, g);
    int f, k;
    for (f = g->first; f < g->first + g->count; f++)
        for (k = s->facets[f].first; k < s->facets[f].first + s->facets[f].count; k++)
            touches = touches || s->points[k].total_normal > 0;
    for (k = s->base_points; g->cuts > 0 && k < s->point_count; k++)
        touches = touches || (s->points[k].group == g - s->groups && s->points[k].total_normal > 0);
    return touches;
}

static bool dvci_same_pair(const dvci_group *g, const dvci_group *k) { return g->part_a == k->part_a && g->part_b == k->part_b; }

/* Of the pair whose groups begin at `first` in the order of shapes: models of the literature have several for one. */
static dvc_phase dvci_pair_phase(dvci_step *s, int first)
{
    const dvci_group *g = &s->groups[s->order[first]];
    bool touches = false;
    int i;
    for (i = first; i < s->group_count && !touches && dvci_same_pair(g, &s->groups[s->order[i]]); i++)
        touches = dvci_group_touches(s, &s->groups[s->order[i]]);
    return touches ? (g->touched ? DVC_STAYS : DVC_BEGAN) : g->touched ? DVC_ENDED : DVC_NEAR;
}

static void dvci_store_contact(const dvci_step *s, const dvci_point *point, int group, dvc_phase phase, dvc_contact *c)
{
    const dvci_group *g = &s->groups[point->group];
    c->shape_a = g->part_a;
    c->shape_b = g->part_b;
    c->body_a = s->parts[g->part_a].body;
    c->body_b = s->parts[g->part_b].body;
    c->feature_a = point->feature_a;
    c->feature_b = point->feature_b;
    c->group = group;
    c->facet = point->facet;
    c->chosen = point->enforced && !g->sensor;
    c->sensor = g->sensor;
    c->phase = phase;
    c->warm = point->warm;
    c->point = dvci_add(s->at_end ? s->bodies[c->body_a].end.x : s->bodies[c->body_a].x, point->arm_a);
    c->normal = point->normal;
    c->gap = point->end_gap;
    c->impulse = point->total;
    c->normal_impulse = point->total_normal;
    c->moment = dvci_sub(point->turned, dvci_cross(dvci_sub(c->point, s->world->bodies[c->body_a].position), point->total));
}

static bool dvci_contact_before(const dvc_contact *c, int shape_a, int shape_b)
{
    return c->shape_a < shape_a || (c->shape_a == shape_a && c->shape_b < shape_b);
}

/* Gap, normal and place of two features of the last step where their bodies are now. */
static void dvci_measure_ended(dvci_step *s, dvc_contact *c)
{
    dvci_group g;
    dvci_point point;
    dvci_couple couple;
    dvc_vec3 at;
    memset(&g, 0, sizeof g);
    memset(&point, 0, sizeof point);
    g.part_a = c->shape_a;
    g.part_b = c->shape_b;
    c->body_a = s->world->shapes[c->shape_a].body; /* may not be what they were */
    c->body_b = s->world->shapes[c->shape_b].body;
    point.feature_a = c->feature_a;
    point.feature_b = c->feature_b;
    point.normal = c->normal;
    if (g.part_a < s->first_shape) dvci_terrain_meet(s, g.part_a);
    if (g.part_b < s->first_shape) dvci_terrain_meet(s, g.part_b);
    if (s->parts[g.part_a].kind == DVC_NO_SHAPE || s->parts[g.part_b].kind == DVC_NO_SHAPE
        || DVC_FEATURE_KIND(c->feature_a) == DVCI_OWN)
        return; /* as it was */
    dvci_turn_part(s, g.part_a);
    dvci_turn_part(s, g.part_b);
    dvci_set_couple(&couple, s, &g, true);
    if (!dvci_has_features(&couple, c->feature_a, c->feature_b)) return;
    if (dvci_measure_features(&couple, &point, &c->gap, &c->normal, &at)) c->point = dvci_add(s->bodies[c->body_a].end.x, at);
}

/* Is this the first contact of a pair that touched, and is the pair not near now? Or does it sleep? */
static bool dvci_is_kept(const dvci_step *s, int index)
{
    const dvc_contact *c = &s->world->contacts[index], *before = index > 0 ? c - 1 : NULL;
    if (dvci_contact_sleeps(s, index)) return true;
    if (c->phase != DVC_BEGAN && c->phase != DVC_STAYS) return false;
    if (before && before->shape_a == c->shape_a && before->shape_b == c->shape_b) return false;
    if (c->shape_a < 0 || c->shape_b >= s->world->shape_count || c->shape_a >= c->shape_b) return false; /* not ours */
    return !dvci_find_group(s, c->shape_a, c->shape_b);
}

/* Pairs that touched in the step before and are not near any more: one contact each tells that this has ended. Contacts that sleep
 * are kept as they are. */
static void dvci_find_ended(dvci_step *s)
{
    const dvc_world *world = s->world;
    int i, count = 0;
    for (i = 0; i < world->contact_count; i++) count += dvci_is_kept(s, i);
    if (s->sleeps && !s->stirs && count == world->contact_count) { /* the list stays as it is */
        s->ended = s->world->contacts;
        s->ended_count = count;
        s->points_wanted = dvci_imax(s->points_wanted, count);
        return;
    }
    s->ended_count = 0;
    s->ended = (dvc_contact *)dvci_alloc(&s->arena, (size_t)count, sizeof *s->ended);
    s->points_wanted = dvci_imax(s->points_wanted, s->point_count + count);
    if (s->arena.failed) s->status = DVC_ERROR_SCRATCH;
    else if (s->point_count + count > world->contact_capacity) s->status = DVC_ERROR_CONTACTS;
    for (i = 0; s->status == DVC_OK && count > 0 && i < world->contact_count; i++)
        if (dvci_is_kept(s, i)) {
            dvc_contact *c = &s->ended[s->ended_count++];
            *c = world->contacts[i];
            if (dvci_contact_sleeps(s, i)) continue;
            c->phase = DVC_ENDED;
            dvci_measure_ended(s, c);
        }
}

/* Where the list of contacts has come to. */
typedef struct dvci_list { int count, group, kept; } dvci_list;

/* The next of the kept contacts; those of one group stand together. */
static void dvci_store_kept(dvci_step *s, dvci_list *at)
{
    const dvc_contact *from = &s->ended[at->kept], *next = at->kept + 1 < s->ended_count ? from + 1 : NULL;
    dvc_contact *c = &s->world->contacts[at->count++];
    bool last = !next || next->group != from->group || next->shape_a != from->shape_a || next->shape_b != from->shape_b;
    *c = *from;
    c->body_a = s->world->shapes[c->shape_a].body; /* bodies may have changed places, with their shapes */
    c->body_b = s->world->shapes[c->shape_b].body;
    c->group = at->group;
    if (from->phase == DVC_ENDED) {
        c->facet = 0;
        c->chosen = false;
        c->warm = 0;
        c->impulse = c->moment = dvci_vec(0, 0, 0);
        c->normal_impulse = 0;
    }
    s->report.enforced += c->chosen;
    s->report.disjunctions += last && c->facet > 0;
    if (c->chosen) s->report.worst_gap = dvci_min(s->report.worst_gap, c->gap);
    at->group += last;
    at->kept++;
}

/* The group's contacts; points that checks have added stand behind them. */
static void dvci_store_group(dvci_step *s, const dvci_group *g, dvc_phase phase, dvci_list *at)
{
    int f, k;
    for (f = g->first; f < g->first + g->count; f++)
        for (k = s->facets[f].first; k < s->facets[f].first + s->facets[f].count; k++)
            dvci_store_contact(s, &s->points[k], at->group, phase, &s->world->contacts[at->count++]);
    for (k = s->base_points; g->cuts > 0 && k < s->point_count; k++)
        if (s->points[k].group == g - s->groups)
            dvci_store_contact(s, &s->points[k], at->group, phase, &s->world->contacts[at->count++]);
    s->report.disjunctions += g->count > 1;
    at->group++;
}

/* Contacts in the order of their shapes. */
static void dvci_store_contacts(dvci_step *s)
{
    dvc_phase phase = DVC_NEAR;
    dvci_list at;
    int i;
    at.count = at.group = at.kept = 0;
    for (i = 0; i < s->group_count; i++) {
        const dvci_group *g = &s->groups[s->order[i]];
        while (at.kept < s->ended_count && dvci_contact_before(&s->ended[at.kept], g->part_a, g->part_b)) dvci_store_kept(s, &at);
        if (i == 0 || !dvci_same_pair(g, &s->groups[s->order[i - 1]])) phase = dvci_pair_phase(s, i);
        dvci_store_group(s, g, phase, &at);
    }
    while (at.kept < s->ended_count) dvci_store_kept(s, &at);
    s->world->contact_count = at.count;
    s->report.contacts = at.count;
}

static void dvci_store_bodies(const dvci_step *s)
{
    bool planar = s->world->planar;
    int i;
    for (i = s->first_body; i < s->world->body_count; i++) {
        const dvci_body *body = &s->bodies[i];
        dvc_body *user = &s->world->bodies[i];
        if (!body->present || body->asleep || body->fixed) continue;
        user->position.x = body->end.x.x;
        user->position.y = body->end.x.y;
        user->velocity.x = body->v_out.x;
        user->velocity.y = body->v_out.y;
        user->angular_velocity.z = body->w_out.z;
        user->orientation.w = body->q_end.w;
        user->orientation.x = body->q_end.x;
        user->orientation.y = body->q_end.y;
        user->orientation.z = body->q_end.z;
        if (planar) continue;
        user->position.z = body->end.x.z;
        user->velocity.z = body->v_out.z;
        user->angular_velocity.x = body->w_out.x;
        user->angular_velocity.y = body->w_out.y;
    }
}

/* ------------------------------------------------------------------------------------------------
 * >>assemble  the complementarity problem of a step, for the caller
 * ------------------------------------------------------------------------------------------------ */

/* All dynamic bodies and all groups as one island. */
static dvci_island dvci_whole_world(dvci_step *s)
{
    dvci_island all;
    int i;
    memset(&all, 0, sizeof all);
    for (i = s->first_body; i < s->world->body_count; i++) {
        if (!s->bodies[i].dynamic) continue;
        s->bodies[i].slot = all.body_count;
        s->island_bodies[all.body_count++] = i;
    }
    for (i = 0; i < s->group_count; i++) s->island_groups[i] = s->order[i];
    all.group_count = s->group_count;
    for (i = 0; i < s->link_count; i++) s->island_links[i] = i;
    all.link_count = s->link_count;
    return all;
}

static void dvci_export_bodies(dvci_step *s, const dvci_island *all, dvc_problem *out)
{
    dvc_real *mass = dvci_alloc_reals(&s->arena, (size_t)all->body_count * (size_t)s->width);
    dvc_real *velocity = dvci_alloc_reals(&s->arena, (size_t)all->body_count * (size_t)s->width);
    int i;
    out->body_count = all->body_count;
    out->bodies = s->island_bodies;
    out->mass = mass;
    out->free_velocity = velocity;
    for (i = 0; !s->arena.failed && i < all->body_count; i++) {
        const dvci_body *body = dvci_island_body(s, all, i);
        dvc_real m = 1 / body->inverse_mass;
        dvci_row_part(s->width, dvci_vec(m, m, m), body->moments, mass + i * s->width);
        dvci_row_part(s->width, body->v_free, dvci_add(body->w_free, body->gyro), velocity + i * s->width);
    }
}

/* Place of each enforced point in the list of contacts, and joints. */
static void dvci_export_owners(const dvci_step *s, const dvci_rows *r, int *row_contact, int *row_joint)
{
    int i, k, f, g, place = 0;
    for (i = 0; i < r->count; i++) {
        const dvci_link *link = r->kind[i] == DVCI_ROW_LINK ? &s->links[dvci_row_link(s, r, i)->link] : NULL;
        row_contact[i] = -1;
        row_joint[i] = link && link->kind == DVCI_LINK_JOINT ? link->index : -1;
    }
    for (g = 0; g < s->group_count; g++) {
        const dvci_group *group = &s->groups[s->order[g]];
        for (f = group->first; f < group->first + group->count; f++)
            for (k = s->facets[f].first; k < s->facets[f].first + s->facets[f].count; k++, place++)
                for (i = 0; i < r->count; i++)
                    if (r->point[i] == k) row_contact[i] = place;
    }
}

static void dvci_export_problem(dvci_step *s, dvc_problem *out)
{
    dvci_island all = dvci_whole_world(s);
    dvci_rows r;
    dvci_product product;
    dvci_mcp p;
    dvc_real *by_rows;
    int i, j, count, *row_contact, *row_joint;
    for (i = 0; i < all.group_count; i++) dvci_choose_facet(s, dvci_island_group(s, &all, i));
    count = dvci_collect_points(s, &all, s->point_count, s->list);
    dvci_export_bodies(s, &all, out);
    if (s->arena.failed || !dvci_rows_build(s, &all, s->list, count, DVCI_RAYS, &r, &s->arena)) {
        s->status = DVC_ERROR_SCRATCH;
        return;
    }
    dvci_mcp_carve_vectors(&p, r.count, &s->arena);
    dvci_make_product(s, &all, &r, &product, &s->arena);
    p.product = &product;
    by_rows = dvci_alloc_reals(&s->arena, dvci_times((size_t)r.count, (size_t)r.count));
    row_contact = dvci_alloc_ints(&s->arena, (size_t)r.count);
    row_joint = dvci_alloc_ints(&s->arena, (size_t)r.count);
    if (s->arena.failed || !dvci_mcp_form(&p, &s->arena)) { s->status = DVC_ERROR_SCRATCH; return; }
    dvci_join_rows(s, &r, &p);
    dvci_free_rates(s, &r, p.b);
    dvci_bound_rows(s, &r, &p);
    for (j = 0; j < p.n; j++)
        for (i = 0; i < p.n; i++) by_rows[(size_t)i * (size_t)p.n + (size_t)j] = dvci_mcp_column(&p, j)[i];
    dvci_export_owners(s, &r, row_contact, row_joint);
    out->n = r.count;
    out->A = by_rows;
    out->b = p.b;
    out->width = r.width;
    out->rows = r.force;
    out->row_body = r.body;
    out->lower = p.lower;
    out->upper = p.upper;
    out->row_contact = row_contact;
    out->row_joint = row_joint;
}

/* Contacts of all bodies, whether they rest or not. */
static void dvci_lay_out_all(dvci_step *s)
{
    s->marks = NULL;
    s->marked = false;
    s->at_end = false;
    dvci_load_bodies(s);
    dvci_load(s);
    if (s->status == DVC_OK) dvci_find_contacts_of_step(s);
}

DVC_API dvc_status dvc_problem_build(dvc_world *world, dvc_real h, dvc_problem *out)
{
    dvci_step s;
    if (!world || !out) return DVC_ERROR_NULL;
    memset(out, 0, sizeof *out);
    dvci_begin(&s, world, h);
    if (s.status == DVC_OK) dvci_lay_out_all(&s);
    if (s.status == DVC_OK) dvci_export_problem(&s, out);
    if (s.status != DVC_OK) memset(out, 0, sizeof *out);
    dvci_end(&s);
    return s.status;
}

/* The whole world's problem with the user's impulses as its solution. */
static void dvci_apply_solution(dvci_step *s, const dvc_real *z, int n)
{
    dvci_island all = dvci_whole_world(s);
    dvci_attempt attempt;
    dvci_setup q;
    int i, first_cut = s->point_count, count;
    bool fits;
    s->at_end = false;
    for (i = 0; i < all.group_count; i++) dvci_choose_facet(s, dvci_island_group(s, &all, i));
    count = dvci_collect_points(s, &all, first_cut, s->list);
    s->speed = dvci_island_speed(s, &all);
    if (!dvci_set_up(s, &all, s->list, count, DVCI_RAYS, false, 0, &q)) { s->status = DVC_ERROR_SCRATCH; return; }
    for (fits = n == q.p.n, i = 0; fits && i < n; i++) {
        fits = dvci_finite(z[i]);
        q.task.z[i] = z[i] / (q.p.unit[i] * q.size);
    }
    if (!fits) { s->status = DVC_ERROR_PROBLEM; return; }
    memset(&attempt, 0, sizeof attempt);
    attempt.residual = n > 0 ? dvci_mcp_residual(&q.task) * (q.size / s->speed) : 0; /* of nothing, no speed is a measure */
    attempt.exact = attempt.residual <= q.task.tolerance;
    s->report.problems = 1;
    s->report.largest_problem = n;
    dvci_export_impulses(&q);
    dvci_take_solution(s, &all, &q.r);
    dvci_measure_island(s, &all, first_cut);
    if (s->world->contact_model == DVC_PEG_LITERAL)
        attempt.open += dvci_literal_faults(s, &all) + dvci_island_gains(s, &all, first_cut);
    dvci_accept_island(s, &all, first_cut, &attempt);
    for (i = 0; i < all.body_count; i++) dvci_body_ends(dvci_island_body(s, &all, i));
    dvci_check_bodies_end(s, DVC_ERROR_NOT_FINITE);
    if (s->status == DVC_OK) dvci_certify(s);
}

DVC_API dvc_status dvc_problem_apply(dvc_world *world, dvc_real h, const dvc_real *z, int n)
{
    dvci_step s;
    if (!world || (n > 0 && !z)) return DVC_ERROR_NULL;
    dvci_begin(&s, world, h);
    if (s.status == DVC_OK) dvci_lay_out_all(&s);
    if (s.status == DVC_OK) dvci_apply_solution(&s, z, n);
    return dvci_finish(&s);
}

/* ------------------------------------------------------------------------------------------------
 * >>ask  distances, overlaps, rays, casts
 * ------------------------------------------------------------------------------------------------
 * The gap of two convex parts is the largest, over all directions n, of the room between them along n. Apart, that is the
 * distance: the point closest to the origin of the difference body (part 1 less part 0) is found by Gilbert, Johnson and
 * Keerthi's descent over simplices of it. Where the parts touch or overlap the direction of that point means nothing; then the
 * largest room along all faces and pairs of edges is taken (>>facets), which is exact there, and the points that touch are
 * those that are closest once the parts are drawn apart along that axis.
 *
 * A cast is Newton's method on the gap, which is a convex function of t: it comes from the free side and never goes past. A ray
 * is clipped against the planes of a shape in the shape's own frame.
 */
#if DVCI_DOUBLE
#define DVCI_ASK_NEAR DVCI_R(1e-7)   /* closer than this per size, the closest points do not tell the direction well */
#define DVCI_ASK_SINE DVCI_R(1e-8)   /* edges closer to parallel than this are parallel */
#define DVCI_ASK_TOUCH DVCI_R(1e-12) /* a cast is there, per size */
#else
#define DVCI_ASK_NEAR DVCI_R(1e-3)
#define DVCI_ASK_SINE DVCI_R(1e-4)
#define DVCI_ASK_TOUCH DVCI_R(1e-5)
#endif

/* ---- closest points: what they belong to ---- */

/* The feature of a part that its corners of the simplex span: a vertex, an edge, or the face that has them all. */
static dvc_feature dvci_spanned_feature(const dvci_part *part, int side, const dvci_simplex *s)
{
    int distinct[4] = { 0, 0, 0, 0 }, count = 0, face, i, k, edge;
    for (i = 0; i < s->count; i++) {
        for (k = 0; k < count && distinct[k] != s->corners[i].vertex[side]; k++) continue;
        if (k == count) distinct[count++] = s->corners[i].vertex[side];
    }
    edge = count == 2 ? dvci_edge_between(part, distinct[0], distinct[1]) : -1;
    if (edge >= 0) return DVC_FEATURE(DVC_EDGE, edge);
    for (face = 0; count > 1 && face < part->face_count; face++) {
        for (k = 0; k < count && dvci_face_has(part, face, distinct[k]); k++) continue;
        if (k == count) return DVC_FEATURE(DVC_FACE, face);
    }
    return DVC_FEATURE(DVC_VERTEX, distinct[0]);
}

/* ---- the gap of a pair ---- */

/* Part `side` is a half-space. Points are relative to body 0, here and below. */
static void dvci_plane_gap(const dvci_couple *c, int side, dvc_gap *out)
{
    dvc_vec3 n = c->part[side]->normals[0], near, on;
    int lowest;
    out->distance = dvci_face_gap(c, side, 0, &lowest);
    near = dvci_madd(c->part[1 - side]->vertices[lowest], n, -c->part[1 - side]->skin);
    if (side == 0) near = dvci_add(near, c->d);
    on = dvci_madd(near, n, -out->distance);
    out->normal = side == 0 ? n : dvci_neg(n);
    out->point_a = side == 0 ? on : near;
    out->point_b = side == 0 ? near : on;
    out->feature_a = side == 0 ? DVC_FEATURE(DVC_FACE, 0) : DVC_FEATURE(DVC_VERTEX, lowest);
    out->feature_b = side == 0 ? DVC_FEATURE(DVC_VERTEX, lowest) : DVC_FEATURE(DVC_FACE, 0);
}

/* Two half-spaces can be apart only if they face each other. */
static void dvci_planes_gap(const dvci_couple *c, dvc_gap *out)
{
    dvc_vec3 n = c->part[0]->normals[0];
    bool facing = dvci_norm(dvci_add(n, c->part[1]->normals[0])) <= DVCI_CLOSEST_ROUND;
    out->distance = facing ? dvci_dot(n, c->d) - c->part[1]->offsets[0] - c->part[0]->offsets[0] : -DVC_INFINITY;
    out->normal = n;
    out->point_a = c->part[0]->centre;
    out->point_b = facing ? dvci_madd(out->point_a, n, out->distance) : out->point_a;
    out->feature_a = out->feature_b = DVC_FEATURE(DVC_FACE, 0);
}

/* The axis of the largest gap over faces and pairs of edges. The edges it stands for are no farther apart than the best of the
 * faces says; so many are looked at. */
static dvci_axis dvci_least_deep_axis(dvci_couple *c)
{
    dvci_axis best = dvci_best_plane_axis(c, DVC_INFINITY);
    if (c->part[0]->edge_count > 0 && c->part[1]->edge_count > 0)
        dvci_try_edge_axes(c, dvci_max(DVCI_R(1e-3) * c->size, -best.gap), DVC_INFINITY, &best);
    return best;
}

/* Cores that touch or overlap: distance and normal by the best axis, or by the closest points, which tell it of two corners that
 * are just apart. Leaves in `s` the corners that are closest once part 1 is drawn away along the normal. */
static void dvci_touching_gap(dvci_couple *c, dvci_simplex *s, dvc_gap *out)
{
    dvci_axis axis = dvci_least_deep_axis(c);
    dvc_vec3 d = c->d, own = dvci_unit(s->closest);
    dvc_real own_gap = dvci_zero_vec(own) ? -DVC_INFINITY : dvci_gap_along(c, own);
    out->normal = own_gap > axis.gap ? own : dvci_axis_normal(c, &axis);
    out->distance = dvci_max(own_gap, axis.gap);
    if (dvci_zero_vec(out->normal)) out->normal = dvci_vec(0, 1, 0); /* two centres in one place: any will do */
    c->d = dvci_madd(d, out->normal, c->size - out->distance - c->part[0]->skin - c->part[1]->skin);
    dvci_closest_cores(c, s);
    c->d = d;
}

static void dvci_measure_gap(dvci_couple *c, dvc_gap *out)
{
    const dvci_part *a = c->part[0], *b = c->part[1];
    dvci_simplex s;
    dvc_real core;
    int i;
    if (a->kind == DVC_PLANE && b->kind == DVC_PLANE) { dvci_planes_gap(c, out); return; }
    if (a->kind == DVC_PLANE || b->kind == DVC_PLANE) { dvci_plane_gap(c, b->kind == DVC_PLANE, out); return; }
    dvci_closest_cores(c, &s);
    core = dvci_sqrt(s.square);
    out->normal = dvci_unit(s.closest);
    out->distance = core - a->skin - b->skin;
    if (!(core > DVCI_ASK_NEAR * c->size)) dvci_touching_gap(c, &s, out);
    out->point_a = dvci_scale(out->normal, a->skin);
    out->point_b = dvci_madd(c->d, out->normal, -b->skin);
    for (i = 0; i < s.count; i++) {
        out->point_a = dvci_madd(out->point_a, a->vertices[s.corners[i].vertex[0]], s.corners[i].weight);
        out->point_b = dvci_madd(out->point_b, b->vertices[s.corners[i].vertex[1]], s.corners[i].weight);
    }
    out->feature_a = dvci_spanned_feature(a, 0, &s);
    out->feature_b = dvci_spanned_feature(b, 1, &s);
}

/* ---- laying out what is asked about ---- */

/* A question: two parts as a step would lay them out. */
typedef struct dvci_ask {
    dvci_step s;
    dvci_body body[2];
    dvci_part part[2];
    dvci_couple c;
    size_t mark;            /* of the arena, behind the probe */
} dvci_ask;

static void dvci_ask_begin(dvci_ask *ask, dvc_world *world)
{
    memset(ask, 0, sizeof *ask);
    ask->s.world = world;
    ask->s.h = 1;
    ask->s.culprit = -1;
    ask->s.status = dvci_check_options(world);
    ask->s.arena = dvci_arena_over(world->scratch, world->scratch_size);
}

/* The culprit is the shape or body looked at last, if that is what was wrong. */
static dvc_status dvci_ask_end(dvci_ask *ask)
{
    dvc_world *world = ask->s.world;
    bool full = ask->s.arena.failed;
    if (full) ask->s.status = DVC_ERROR_SCRATCH;
    if (full) world->report.scratch_needed = dvci_arena_bytes(ask->s.arena.wanted);
    world->culprit = full || ask->s.status == DVC_OK ? -1 : ask->s.culprit;
    return ask->s.status;
}

/* Is this shape of the world there, and sound? */
static bool dvci_ask_finds(dvci_ask *ask, int shape)
{
    const dvc_world *world = ask->s.world;
    ask->s.culprit = shape;
    ask->s.status = dvci_check_shape(world, &world->shapes[shape], 0);
    if (ask->s.status != DVC_OK || !dvci_shape_present(world, shape)) return false;
    ask->s.culprit = world->shapes[shape].body;
    ask->s.status = dvci_check_body(world, &world->bodies[ask->s.culprit]);
    return ask->s.status == DVC_OK;
}

/* The same of a shape that the question names. */
static bool dvci_ask_finds_named(dvci_ask *ask, int shape)
{
    if (ask->s.status != DVC_OK) return false;
    if (shape >= 0 && shape < ask->s.world->shape_count && dvci_ask_finds(ask, shape)) return true;
    if (ask->s.status == DVC_OK) ask->s.culprit = shape;
    if (ask->s.status == DVC_OK) ask->s.status = DVC_ERROR_ASK_SHAPE;
    return false;
}

/* Lays out a shape whose body is in this pose as one side of the pair. */
static void dvci_ask_place(dvci_ask *ask, int side, const dvc_shape *shape, dvc_vec3 position, dvc_quat orientation)
{
    bool planar = ask->s.world->planar;
    dvci_part *part = &ask->part[side];
    memset(part, 0, sizeof *part);
    part->kind = shape->kind;
    dvci_part_carve(shape, planar, part, &ask->s.arena);
    if (ask->s.arena.failed) { ask->s.status = DVC_ERROR_SCRATCH; return; }
    dvci_part_measure(shape, planar, part);
    ask->body[side].x = dvci_flat(position, planar);
    ask->body[side].q = dvci_quat_unit(orientation);
    dvci_part_place(shape, planar, &ask->body[side], part);
    ask->c.part[side] = part;
    ask->c.shape[side] = shape;
}

static void dvci_ask_place_shape(dvci_ask *ask, int side, int shape)
{
    const dvc_body *body = &ask->s.world->bodies[ask->s.world->shapes[shape].body];
    dvci_ask_place(ask, side, &ask->s.world->shapes[shape], body->position, body->orientation);
}

/* What the geometry reads of a pair. */
static void dvci_ask_couple(dvci_ask *ask)
{
    dvci_couple *c = &ask->c;
    c->s = &ask->s;
    c->d = dvci_sub(ask->body[1].x, ask->body[0].x);
    c->size = dvci_max(ask->part[0].size, ask->part[1].size);
    c->sine = DVCI_ASK_SINE;
    c->mismatch = DVCI_GAP_CHECK;
}

DVC_API dvc_status dvc_distance(dvc_world *world, int shape_a, int shape_b, dvc_gap *out)
{
    dvci_ask ask;
    if (!world || !out) return DVC_ERROR_NULL;
    memset(out, 0, sizeof *out);
    dvci_ask_begin(&ask, world);
    if (dvci_ask_finds_named(&ask, shape_a) && dvci_ask_finds_named(&ask, shape_b)) {
        dvci_ask_place_shape(&ask, 0, shape_a);
        if (ask.s.status == DVC_OK) dvci_ask_place_shape(&ask, 1, shape_b);
    }
    if (ask.s.status == DVC_OK) {
        dvci_ask_couple(&ask);
        dvci_measure_gap(&ask.c, out);
        out->point_a = dvci_add(out->point_a, ask.body[0].x);
        out->point_b = dvci_add(out->point_b, ask.body[0].x);
    }
    if (ask.s.arena.failed) memset(out, 0, sizeof *out);
    return dvci_ask_end(&ask);
}

/* ---- probes ---- */

static void dvci_ask_number(dvci_ask *ask, bool sound)
{
    if (ask->s.status == DVC_OK && !sound) ask->s.status = DVC_ERROR_ASK_NUMBER;
}

/* Begins a question of a probe, which becomes part 1. Its box covers the way and `margin` around it. */
static void dvci_probe_begin(dvci_ask *ask, dvc_world *world, const dvc_shape *probe, dvc_vec3 position, dvc_quat orientation,
                             dvc_vec3 way, dvc_real margin)
{
    bool flat = !world->planar || (orientation.x == 0 && orientation.y == 0);
    dvci_ask_begin(ask, world);
    if (ask->s.status == DVC_OK)
        ask->s.status = probe->kind == DVC_NO_SHAPE ? DVC_ERROR_ASK_SHAPE : dvci_check_form(world->planar, probe);
    dvci_ask_number(ask, flat && dvci_within_vec(position, DVC_LARGEST) && dvci_is_turn(orientation)
                             && dvci_within_vec(way, DVC_LARGEST) && dvci_within(margin, DVC_LARGEST));
    if (ask->s.status == DVC_OK) dvci_ask_place(ask, 1, probe, position, orientation);
    if (ask->s.status != DVC_OK) return;
    ask->body[1].v_start = ask->body[1].v_free = way;
    ask->body[1].extra = dvci_max(margin, 0);
    dvci_part_sweep(&ask->s, &ask->body[1], &ask->part[1]);
    ask->mark = ask->s.arena.used;
}

/* Lays out shape i of the world as part 0, unless masks or boxes tell that the probe does not come near it. */
static bool dvci_probe_meets(dvci_ask *ask, int i)
{
    const dvc_shape *shape = &ask->s.world->shapes[i], *probe = ask->c.shape[1];
    if (!dvci_ask_finds(ask, i)) return false;
    if ((shape->ignore & dvci_category(probe)) || (probe->ignore & dvci_category(shape))) return false;
    ask->s.arena.used = ask->mark;
    dvci_ask_place_shape(ask, 0, i);
    if (ask->s.status != DVC_OK) return false;
    dvci_ask_couple(ask);
    dvci_part_sweep(&ask->s, &ask->body[0], &ask->part[0]);
    return shape->kind == DVC_PLANE || probe->kind == DVC_PLANE
        || dvci_boxes_meet(ask->part[0].swept_low, ask->part[0].swept_high, ask->part[1].swept_low, ask->part[1].swept_high);
}

DVC_API dvc_status dvc_overlap(dvc_world *world, const dvc_shape *probe, dvc_vec3 position, dvc_quat orientation, dvc_real margin,
                               int *shapes, int capacity, int *count)
{
    dvci_ask ask;
    dvc_gap gap;
    int i, found = 0;
    if (!world || !probe || !count || (capacity > 0 && !shapes)) return DVC_ERROR_NULL;
    if (capacity < 0) return DVC_ERROR_COUNT;
    dvci_probe_begin(&ask, world, probe, position, orientation, dvci_vec(0, 0, 0), margin);
    for (i = 0; ask.s.status == DVC_OK && i < world->shape_count; i++) {
        if (!dvci_probe_meets(&ask, i)) continue;
        dvci_measure_gap(&ask.c, &gap);
        if (gap.distance <= margin && found++ < capacity) shapes[found - 1] = i;
    }
    *count = found;
    return dvci_ask_end(&ask);
}

/* Does part 1, which touches, overlap after a small way? If not, it slides along or leaves, and, the gap being convex, goes on
 * doing so. The smaller way is for corners that are cut. */
static bool dvci_moves_in(dvci_couple *c, dvc_vec3 way, dvc_real touch)
{
    dvc_real length = dvci_norm(way), small = dvci_pair_size(c->part[0], c->part[1], length) * DVCI_R(0.1);
    dvc_vec3 d = c->d;
    dvc_gap after;
    int k;
    after.distance = 0;
    for (k = 0; k < 2 && length > 0 && after.distance >= -touch; k++) {
        small *= DVCI_R(0.01);
        c->d = dvci_madd(d, way, small / length);
        dvci_measure_gap(c, &after);
    }
    c->d = d;
    return after.distance < -touch;
}

/* Moves part 1 along `way` up to t = limit: is part 0 hit, where, and how do they lie then? */
static bool dvci_cast_part(dvci_couple *c, dvc_vec3 way, dvc_real limit, dvc_real *t, dvc_real *touch, dvc_gap *gap)
{
    dvc_vec3 from = c->d;
    int round;
    *touch = DVCI_ASK_TOUCH * c->size + DVCI_CLOSEST_ROUND * (dvci_norm(way) + dvci_norm(from));
    for (*t = 0, round = 0; round < DVCI_CLOSEST_ROUNDS; round++) {
        dvc_real closing;
        c->d = dvci_madd(from, way, *t);
        dvci_measure_gap(c, gap);
        if (gap->distance <= *touch) return gap->distance < -*touch || dvci_moves_in(c, way, *touch);
        closing = -dvci_dot(gap->normal, way);
        if (!(closing > 0)) return false;
        *t += gap->distance / closing;
        if (!((*t - limit) * closing <= *touch)) return false;
        *t = dvci_min(*t, limit);
    }
    return true;
}

static void dvci_hit_nothing(dvc_hit *hit)
{
    memset(hit, 0, sizeof *hit);
    hit->shape = hit->body = -1;
    hit->t = 1;
}

DVC_API dvc_status dvc_shapecast(dvc_world *world, const dvc_shape *probe, dvc_vec3 position, dvc_quat orientation, dvc_vec3 way,
                                 dvc_hit *hit)
{
    dvci_ask ask;
    dvc_gap gap;
    dvc_real t, touch;
    int i;
    if (!world || !probe || !hit) return DVC_ERROR_NULL;
    dvci_hit_nothing(hit);
    way = dvci_flat(way, world->planar);
    dvci_probe_begin(&ask, world, probe, position, orientation, way, 0);
    for (i = 0; ask.s.status == DVC_OK && i < world->shape_count; i++) {
        if (world->shapes[i].sensor || !dvci_probe_meets(&ask, i)) continue;
        if (!dvci_cast_part(&ask.c, way, hit->t, &t, &touch, &gap) || (hit->shape >= 0 && !(t < hit->t))) continue;
        hit->shape = i;
        hit->body = world->shapes[i].body;
        hit->t = t;
        hit->point = dvci_add(gap.point_a, ask.body[0].x);
        hit->normal = gap.normal;
        hit->feature = gap.feature_a;
        hit->inside = gap.distance < -touch;
    }
    if (ask.s.status != DVC_OK || ask.s.arena.failed) dvci_hit_nothing(hit);
    return dvci_ask_end(&ask);
}

/* ---- rays ---- */

/* A ray in the frame of a shape, and the part of it that is inside. */
typedef struct dvci_ray {
    dvc_vec3 from, way;
    dvc_real length, slack;  /* slack: rounding of places, m */
    dvc_real enter, exit;    /* as parts of the way */
    dvc_real height;         /* of the start over the shape, < 0: inside */
    int through, nearest;    /* the faces it enters by, and that its start is nearest to */
} dvci_ray;

/* The offset of face i of a shape in its own frame. */
static dvc_real dvci_shape_offset(const dvc_shape *shape, bool planar, int i, dvc_vec3 normal)
{
    if (shape->kind == DVC_PLANE) return 0;
    if (shape->kind == DVC_POLYTOPE) return shape->polytope->faces[i].offset;
    return dvci_dot(normal, dvci_shape_vertex(shape, planar, shape->kind == DVC_BOX && !planar ? dvci_box_loops[4 * i] : i));
}

/* Clips the ray by every face. One that it runs along to rounding does not cut it; false: it runs outside of such a face. */
static bool dvci_ray_clip(const dvc_shape *shape, bool planar, dvci_ray *ray)
{
    dvci_part counts;
    int i;
    dvci_part_counts(shape, planar, &counts);
    for (i = 0; i < counts.face_count; i++) {
        dvc_vec3 n = dvci_shape_normal(shape, planar, i);
        dvc_real height = dvci_dot(n, ray->from) - dvci_shape_offset(shape, planar, i, n), rate = dvci_dot(n, ray->way);
        if (i == 0 || height > ray->height) { ray->height = height; ray->nearest = i; }
        if (dvci_abs(rate) <= DVCI_CLOSEST_ROUND * ray->length) {
            if (height > ray->slack) return false;
        } else if (rate > 0) {
            ray->exit = dvci_min(ray->exit, -height / rate);
        } else if (-height / rate > ray->enter) {
            ray->enter = -height / rate;
            ray->through = i;
        }
    }
    return true;
}

/* From the point of the ray that is closest to the centre, half a chord to either side. */
static bool dvci_ray_ball(dvc_real radius, dvci_ray *ray)
{
    dvc_real square = dvci_dot(ray->way, ray->way), middle = square > 0 ? -dvci_dot(ray->from, ray->way) / square : 0;
    dvc_real near = dvci_norm(dvci_madd(ray->from, ray->way, middle)), half;
    ray->height = dvci_norm(ray->from) - radius;
    if (near > radius + ray->slack) return false;
    if (!(square > 0)) return true;
    half = dvci_sqrt(dvci_max((radius - near) * (radius + near), 0) / square);
    ray->enter = middle - half;
    ray->exit = middle + half;
    return true;
}

/* The outward normal at the hit, in the shape's frame, and its feature. */
static dvc_vec3 dvci_ray_normal(const dvc_shape *shape, bool planar, const dvci_ray *ray, dvc_feature *feature)
{
    int face = ray->enter >= 0 ? ray->through : ray->nearest;
    dvc_vec3 n = dvci_unit(dvci_madd(ray->from, ray->way, dvci_max(ray->enter, 0)));
    *feature = shape->kind == DVC_SPHERE ? DVC_FEATURE(DVC_VERTEX, 0) : DVC_FEATURE(DVC_FACE, face);
    if (shape->kind != DVC_SPHERE) return dvci_shape_normal(shape, planar, face);
    return dvci_zero_vec(n) ? dvci_vec(0, 1, 0) : n;
}

/* Writes the hit if there is one nearer than hit->t. */
static void dvci_ray_shape(const dvc_world *world, int index, dvc_vec3 from, dvc_vec3 way, dvc_hit *hit)
{
    const dvc_shape *shape = &world->shapes[index];
    const dvc_body *body = &world->bodies[shape->body];
    dvc_vec3 centre, x = dvci_flat(body->position, world->planar);
    dvci_mat3 axes;
    dvci_ray ray;
    dvc_real room;
    memset(&ray, 0, sizeof ray);
    dvci_shape_frame(shape, world->planar, dvci_quat_unit(body->orientation), &axes, &centre);
    ray.from = dvci_tmul(axes, dvci_sub(dvci_sub(from, x), centre));
    ray.way = dvci_tmul(axes, way);
    ray.length = dvci_norm(way);
    ray.slack = DVCI_CLOSEST_ROUND * (dvci_norm(from) + dvci_norm(ray.from) + ray.length);
    ray.enter = -DVC_INFINITY;
    ray.exit = DVC_INFINITY;
    if (!(shape->kind == DVC_SPHERE ? dvci_ray_ball(shape->radius, &ray) : dvci_ray_clip(shape, world->planar, &ray))) return;
    room = ray.length > 0 ? ray.slack / ray.length : 0;
    if (ray.enter > ray.exit + room || (ray.enter < 0 && ray.exit <= room)) return;
    if (dvci_max(ray.enter, 0) > hit->t || (hit->shape >= 0 && dvci_max(ray.enter, 0) == hit->t)) return;
    hit->shape = index;
    hit->body = shape->body;
    hit->t = dvci_max(ray.enter, 0);
    hit->point = dvci_madd(from, way, hit->t);
    hit->inside = ray.enter < 0 && ray.height < -ray.slack;
    hit->normal = dvci_mul(axes, dvci_ray_normal(shape, world->planar, &ray, &hit->feature));
}

/* Begins the question; planar worlds have flat rays. */
static void dvci_ray_begin(dvci_ask *ask, dvc_world *world, dvc_vec3 *from, dvc_vec3 *way, dvc_hit *hit)
{
    dvci_hit_nothing(hit);
    dvci_ask_begin(ask, world);
    dvci_ask_number(ask, dvci_within_vec(*from, DVC_LARGEST) && dvci_within_vec(*way, DVC_LARGEST));
    *from = dvci_flat(*from, world->planar);
    *way = dvci_flat(*way, world->planar);
}

DVC_API dvc_status dvc_raycast_shape(dvc_world *world, int shape, dvc_vec3 from, dvc_vec3 way, dvc_hit *hit)
{
    dvci_ask ask;
    if (!world || !hit) return DVC_ERROR_NULL;
    dvci_ray_begin(&ask, world, &from, &way, hit);
    if (dvci_ask_finds_named(&ask, shape)) dvci_ray_shape(world, shape, from, way, hit);
    return dvci_ask_end(&ask);
}

DVC_API dvc_status dvc_raycast(dvc_world *world, dvc_vec3 from, dvc_vec3 way, uint32_t ignore, dvc_hit *hit)
{
    dvci_ask ask;
    int i;
    if (!world || !hit) return DVC_ERROR_NULL;
    dvci_ray_begin(&ask, world, &from, &way, hit);
    for (i = 0; ask.s.status == DVC_OK && i < world->shape_count; i++)
        if (!world->shapes[i].sensor && !(ignore & dvci_category(&world->shapes[i])) && dvci_ask_finds(&ask, i))
            dvci_ray_shape(world, i, from, way, hit);
    if (ask.s.status != DVC_OK) dvci_hit_nothing(hit);
    return dvci_ask_end(&ask);
}

/* ------------------------------------------------------------------------------------------------
 * >>record  what happened, as a stream
 * ------------------------------------------------------------------------------------------------
 * A tape is the one path for every number: it writes it, reads it, or mixes it into a key. A function that lists the fields of
 * a struct on a tape is thus the format, both ways, and these functions are in the order of the stream. All is little-endian:
 * "byte", "word" (4), "long" (8), "int" (4, two's complement), "real" (8, IEEE double). A "mask" is a word, then the reals whose
 * bits are set in it; the others are +0, which is what most of them are. A "text" is a word and that many bytes of UTF-8.
 */
typedef struct dvci_tape {
    unsigned char *out;      /* writing: (size); what does not fit is only counted */
    const unsigned char *in; /* reading: (size) */
    size_t at, size;
    bool reading, keying;    /* neither: writing */
    bool worst;              /* writing: every mask full, to bound the size */
    bool bad;                /* reading: something was missing or made no sense */
    uint64_t key;
} dvci_tape;

enum { DVCI_HEADER_BYTES = 64, DVCI_CHUNK_BYTES = 12, DVCI_RECORD_VERSION = 2, DVCI_REPORT_INTS = 15, DVCI_REPORT_MORE = 3 };

static const char dvci_record_magic[9] = "dvc.rec\n";

static dvci_tape dvci_tape_over(unsigned char *out, size_t size)
{
    dvci_tape tape;
    memset(&tape, 0, sizeof tape);
    tape.out = out;
    tape.size = size;
    return tape;
}

static dvci_tape dvci_tape_from(const unsigned char *in, size_t size)
{
    dvci_tape tape = dvci_tape_over(NULL, size);
    tape.in = in;
    tape.reading = true;
    return tape;
}

/* As in zlib. Sums are reduced before they can overflow 32 bits. */
static uint32_t dvci_adler32(const unsigned char *bytes, size_t size)
{
    uint32_t a = 1, b = 0;
    size_t i = 0, stop;
    while (i < size) {
        for (stop = size - i > 5552 ? i + 5552 : size; i < stop; i++) {
            a += bytes[i];
            b += a;
        }
        a %= 65521u;
        b %= 65521u;
    }
    return b << 16 | a;
}

/* ---- numbers ---- */

static uint64_t dvci_tape_read(dvci_tape *t, int bytes)
{
    uint64_t x = 0;
    int k;
    if (t->bad || t->size - t->at < (size_t)bytes) {
        t->bad = true;
        return 0;
    }
    for (k = 0; k < bytes; k++) x |= (uint64_t)t->in[t->at + (size_t)k] << (8 * k);
    t->at += (size_t)bytes;
    return x;
}

static uint64_t dvci_tape_number(dvci_tape *t, uint64_t x, int bytes)
{
    int k;
    if (t->reading) return dvci_tape_read(t, bytes);
    if (t->keying) {
        t->key = (t->key ^ x) * (uint64_t)0x9E3779B97F4A7C15u;
        t->key ^= t->key >> 29;
        return x;
    }
    if (t->at <= t->size && t->size - t->at >= (size_t)bytes)
        for (k = 0; k < bytes; k++) t->out[t->at + (size_t)k] = (unsigned char)(x >> (8 * k) & 0xffu);
    t->at += (size_t)bytes;
    return x;
}

static uint32_t dvci_tape_byte(dvci_tape *t, uint32_t x) { return (uint32_t)dvci_tape_number(t, x, 1); }
static uint32_t dvci_tape_word(dvci_tape *t, uint32_t x) { return (uint32_t)dvci_tape_number(t, x, 4); }

static int dvci_tape_int(dvci_tape *t, int x)
{
    uint32_t y = dvci_tape_word(t, (uint32_t)x);
    return y <= 0x7fffffffu ? (int)y : -(int)(0xffffffffu - y) - 1;
}

/* How many things follow, of which each takes a byte at least. */
static int dvci_tape_count(dvci_tape *t, int x)
{
    uint32_t y = dvci_tape_word(t, (uint32_t)x);
    if (!t->reading) return x;
    if (y > 0x7fffffffu || y > t->size - t->at) t->bad = true;
    return t->bad ? 0 : (int)y;
}

static double dvci_tape_double(dvci_tape *t, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = dvci_tape_number(t, bits, 8);
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* A finite number that a float cannot hold has not come from one. */
static dvc_real dvci_tape_real(dvci_tape *t, dvc_real x)
{
    double y = dvci_tape_double(t, (double)x), most = DVCI_DOUBLE ? 1.7976931348623157e308 : 3.4028234663852886e38;
    if (y - y == 0 && (y > most || y < -most)) t->bad = true;
    return t->bad ? 0 : (dvc_real)y;
}

static void dvci_tape_point(dvci_tape *t, dvc_vec2 *p)
{
    p->x = dvci_tape_real(t, p->x);
    p->y = dvci_tape_real(t, p->y);
}

static void dvci_tape_vec(dvci_tape *t, dvc_vec3 *v)
{
    v->x = dvci_tape_real(t, v->x);
    v->y = dvci_tape_real(t, v->y);
    v->z = dvci_tape_real(t, v->z);
}

static bool dvci_bit(uint32_t flags, int k) { return (flags >> k & 1u) != 0; }

/* -0 is not +0. */
static bool dvci_is_plus_zero(dvc_real x)
{
    const dvc_real zero = 0;
    return memcmp(&x, &zero, sizeof zero) == 0;
}

static void dvci_tape_mask(dvci_tape *t, dvc_real *const *fields, int count)
{
    uint32_t mask = 0;
    int k;
    for (k = 0; k < count && !t->reading; k++)
        if (t->worst || !dvci_is_plus_zero(*fields[k])) mask |= (uint32_t)1 << k;
    mask = dvci_tape_word(t, mask);
    if (mask >> count) t->bad = true;
    for (k = 0; k < count; k++)
        if (dvci_bit(mask, k)) *fields[k] = dvci_tape_real(t, *fields[k]);
        else if (t->reading) *fields[k] = 0;
}

/* Reading: its length, and where its bytes are, if there are any. */
static size_t dvci_read_text(dvci_tape *t, const char **text)
{
    size_t length = dvci_tape_word(t, 0);
    if (length > t->size - t->at) t->bad = true;
    if (t->bad || length == 0) return 0;
    *text = (const char *)t->in + t->at;
    t->at += length;
    return length;
}

static void dvci_write_text(dvci_tape *t, const char *text)
{
    size_t length = text ? strlen(text) : 0, k;
    dvci_tape_word(t, (uint32_t)length);
    for (k = 0; k < length; k++) dvci_tape_byte(t, (unsigned char)text[k]);
}

#define DVCI_XYZ(v) &(v).x, &(v).y, &(v).z
#define DVCI_WXYZ(q) &(q).w, &(q).x, &(q).y, &(q).z

/* ---- SCNE and FRAM, piece by piece ---- */

/* SCNE. What stays as it is; of a static body, all. True: it has a support. */
static bool dvci_tape_body_constants(dvci_tape *t, dvc_body *b, dvc_support *support)
{
    dvc_real *const fields[25] = { &b->mass, DVCI_XYZ(b->inertia), &b->linear_damping, &b->angular_damping,
                                   DVCI_XYZ(b->position), DVCI_WXYZ(b->orientation), DVCI_XYZ(b->velocity),
                                   DVCI_XYZ(b->angular_velocity), DVCI_XYZ(b->force), DVCI_XYZ(b->torque) };
    uint32_t flags;
    int k;
    b->kind = (dvc_body_kind)dvci_tape_byte(t, (uint32_t)b->kind);
    flags = dvci_tape_byte(t, (b->support ? 1u : 0u) | (b->motion ? 2u : 0u));
    dvci_tape_mask(t, fields, b->kind == DVC_STATIC ? 25 : 6);
    for (k = 0; k < 3 && dvci_bit(flags, 0); k++) dvci_tape_point(t, &support->points[k]);
    if (dvci_bit(flags, 0)) support->friction = dvci_tape_real(t, support->friction);
    return dvci_bit(flags, 0);
}

/* FRAM. What moves. */
static void dvci_tape_body_state(dvci_tape *t, dvc_body *b, bool thin)
{
    dvc_real *const fields[19] = { DVCI_XYZ(b->position), DVCI_WXYZ(b->orientation), DVCI_XYZ(b->velocity),
                                   DVCI_XYZ(b->angular_velocity), DVCI_XYZ(b->force), DVCI_XYZ(b->torque) };
    b->disabled = dvci_bit(dvci_tape_byte(t, b->disabled ? 1u : 0u), 0);
    if (b->kind != DVC_STATIC) dvci_tape_mask(t, fields, thin && !t->reading ? 7 : 19);
}

/* SCNE */
static void dvci_tape_shape(dvci_tape *t, dvc_shape *s)
{
    dvc_real *const fields[19] = { &s->friction, &s->restitution, DVCI_XYZ(s->position), DVCI_WXYZ(s->orientation),
                                   DVCI_XYZ(s->normal), DVCI_XYZ(s->half), &s->radius, DVCI_XYZ(s->surface_velocity) };
    uint32_t flags;
    s->kind = (dvc_shape_kind)dvci_tape_byte(t, (uint32_t)s->kind);
    flags = dvci_tape_byte(t, (s->disabled ? 1u : 0u) | (s->sensor ? 2u : 0u));
    s->disabled = dvci_bit(flags, 0);
    s->sensor = dvci_bit(flags, 1);
    s->body = dvci_tape_int(t, s->body);
    s->category = dvci_tape_word(t, s->category);
    s->ignore = dvci_tape_word(t, s->ignore);
    dvci_tape_mask(t, fields, 19);
}

/* SCNE */
static void dvci_tape_joint_constants(dvci_tape *t, dvc_joint *j)
{
    dvc_real *const fields[20] = { DVCI_XYZ(j->anchor_a), DVCI_XYZ(j->anchor_b), DVCI_WXYZ(j->frame_a), DVCI_WXYZ(j->frame_b),
                                   &j->turn.lower, &j->turn.upper, &j->turn.friction,
                                   &j->slide.lower, &j->slide.upper, &j->slide.friction };
    uint32_t flags;
    j->kind = (dvc_joint_kind)dvci_tape_byte(t, (uint32_t)j->kind);
    flags = dvci_tape_byte(t, (j->collide ? 1u : 0u) | (j->turn.limited ? 2u : 0u) | (j->slide.limited ? 4u : 0u));
    j->collide = dvci_bit(flags, 0);
    j->turn.limited = dvci_bit(flags, 1);
    j->slide.limited = dvci_bit(flags, 2);
    j->body_a = dvci_tape_int(t, j->body_a);
    j->body_b = dvci_tape_int(t, j->body_b);
    dvci_tape_mask(t, fields, 20);
}

/* FRAM. Drives, what the step wrote, and how far the joint is from holding. */
static void dvci_tape_joint_state(dvci_tape *t, dvc_joint *j, dvc_real error)
{
    dvc_axis *turn = &j->turn, *slide = &j->slide;
    dvc_real *const fields[19] = { &turn->speed, &turn->effort, &turn->force, &turn->position, &turn->velocity, &turn->impulse,
                                   &slide->speed, &slide->effort, &slide->force, &slide->position, &slide->velocity,
                                   &slide->impulse, DVCI_XYZ(j->impulse), DVCI_XYZ(j->angular_impulse), &error };
    j->disabled = dvci_bit(dvci_tape_byte(t, j->disabled ? 1u : 0u), 0);
    j->warm = dvci_tape_word(t, j->warm);
    dvci_tape_mask(t, fields, 19);
}

/* SCNE */
static void dvci_tape_spring_constants(dvci_tape *t, dvc_spring *s)
{
    dvc_real *const fields[8] = { DVCI_XYZ(s->anchor_a), DVCI_XYZ(s->anchor_b), &s->stiffness, &s->damping };
    s->body_a = dvci_tape_int(t, s->body_a);
    s->body_b = dvci_tape_int(t, s->body_b);
    dvci_tape_mask(t, fields, 8);
}

/* FRAM. The length, too, is what controllers write. */
static void dvci_tape_spring_state(dvci_tape *t, dvc_spring *s)
{
    dvc_real *const fields[2] = { &s->length, &s->force };
    s->disabled = dvci_bit(dvci_tape_byte(t, s->disabled ? 1u : 0u), 0);
    dvci_tape_mask(t, fields, 2);
}

/* SCNE */
static void dvci_tape_rule(dvci_tape *t, dvc_pair_rule *r)
{
    dvc_real *const fields[3] = { &r->friction, &r->restitution, &r->tangent_angle };
    uint32_t flags = dvci_tape_byte(t, (r->ignore ? 1u : 0u) | (r->set_friction ? 2u : 0u) | (r->set_restitution ? 4u : 0u)
                                           | (r->fixed_tangents ? 8u : 0u));
    r->ignore = dvci_bit(flags, 0);
    r->set_friction = dvci_bit(flags, 1);
    r->set_restitution = dvci_bit(flags, 2);
    r->fixed_tangents = dvci_bit(flags, 3);
    r->body_a = dvci_tape_int(t, r->body_a);
    r->body_b = dvci_tape_int(t, r->body_b);
    r->friction_directions = dvci_tape_int(t, r->friction_directions);
    dvci_tape_mask(t, fields, 3);
}

/* FRAM */
static void dvci_tape_contact(dvci_tape *t, dvc_contact *c)
{
    dvc_real *const fields[11] = { DVCI_XYZ(c->point), DVCI_XYZ(c->normal), &c->gap, DVCI_XYZ(c->impulse), &c->normal_impulse };
    uint32_t flags;
    c->body_a = dvci_tape_int(t, c->body_a);
    c->body_b = dvci_tape_int(t, c->body_b);
    c->shape_a = dvci_tape_int(t, c->shape_a);
    c->shape_b = dvci_tape_int(t, c->shape_b);
    c->feature_a = dvci_tape_word(t, c->feature_a);
    c->feature_b = dvci_tape_word(t, c->feature_b);
    c->group = dvci_tape_int(t, c->group);
    c->facet = dvci_tape_int(t, c->facet);
    flags = dvci_tape_byte(t, (c->chosen ? 1u : 0u) | (c->sensor ? 2u : 0u));
    c->chosen = dvci_bit(flags, 0);
    c->sensor = dvci_bit(flags, 1);
    c->phase = (dvc_phase)(dvci_tape_byte(t, (uint32_t)c->phase) & 3u);
    c->warm = dvci_tape_word(t, c->warm);
    dvci_tape_mask(t, fields, 11);
}

/* SCNE */
static void dvci_tape_options(dvci_tape *t, dvc_world *w)
{
    uint32_t geometry;
    dvci_tape_vec(t, &w->gravity);
    w->planar = dvci_bit(dvci_tape_word(t, w->planar ? 1u : 0u), 0);
    w->contact_model = (dvc_contact_model)dvci_tape_word(t, (uint32_t)w->contact_model);
    w->solver = (dvc_solver)dvci_tape_word(t, (uint32_t)w->solver);
    w->time_stepping = (dvc_time_stepping)dvci_tape_word(t, (uint32_t)w->time_stepping);
    geometry = dvci_tape_word(t, (w->semi_implicit ? 1u : 0u) | (w->correct_joints ? 2u : 0u));
    w->semi_implicit = dvci_bit(geometry, 0);
    w->correct_joints = dvci_bit(geometry, 1);
    w->strict = dvci_bit(dvci_tape_word(t, w->strict ? 1u : 0u), 0);
    w->friction_directions = dvci_tape_int(t, w->friction_directions);
    w->fixed_tangents = dvci_bit(dvci_tape_word(t, w->fixed_tangents ? 1u : 0u), 0);
    w->tangent_angle = dvci_tape_real(t, w->tangent_angle);
    w->epsilon = dvci_tape_real(t, w->epsilon);
    w->recovery_speed = dvci_tape_real(t, w->recovery_speed);
    w->tolerance = dvci_tape_real(t, w->tolerance);
    w->direct_bodies = dvci_tape_int(t, w->direct_bodies);
    w->iterations = dvci_tape_int(t, w->iterations);
}

/* FRAM */
static void dvci_tape_report(dvci_tape *t, dvc_report *r)
{
    int *const ints[DVCI_REPORT_INTS] = { &r->iterations, &r->inexact, &r->fallbacks, &r->islands, &r->contacts, &r->enforced,
                                          &r->disjunctions, &r->problems, &r->largest_problem, &r->flips, &r->cuts,
                                          &r->corrections, &r->halvings, &r->repeats, &r->contacts_needed };
    int count, k;
    r->residual = dvci_tape_real(t, r->residual);
    r->worst_gap = dvci_tape_real(t, r->worst_gap);
    r->energy_excess = dvci_tape_real(t, r->energy_excess);
    count = dvci_tape_count(t, DVCI_REPORT_INTS + DVCI_REPORT_MORE);
    if (count < DVCI_REPORT_INTS) t->bad = true;
    for (k = 0; k < DVCI_REPORT_INTS; k++) *ints[k] = dvci_tape_int(t, *ints[k]);
    if (count >= DVCI_REPORT_INTS + DVCI_REPORT_MORE) { /* from 0.10.0 on */
        r->stiffened = dvci_tape_int(t, r->stiffened);
        r->energy_gain = (dvc_real)dvci_tape_double(t, (double)r->energy_gain); /* counts as two */
        k += DVCI_REPORT_MORE;
    }
    for (; k < count && !t->bad; k++) dvci_tape_int(t, 0); /* a later version tells more */
    r->scratch_used = (size_t)dvci_tape_number(t, r->scratch_used, 8);
    r->scratch_needed = (size_t)dvci_tape_number(t, r->scratch_needed, 8);
}

/* ---- SCNE and FRAM, whole ---- */

/* One moment of a world. Writing needs one of the tapes; reading takes both at once, side by side. */
typedef struct dvci_moment {
    dvci_tape *scene, *frame;
    bool reading;
    dvc_world *world;         /* its arrays are read, or (reading) filled; reading into none only checks */
    dvc_support *supports;    /* (bodies) reading: where they go, or none */
    dvc_pair_rule *rules;     /* (rule_count) the same */
    const dvc_recorder *recorder; /* writing */
    dvc_recording *recording; /* reading: what is told about the frame goes here */
    int bodies, shapes, joints, springs, rule_count, contacts;
    int number;               /* of the frame */
    dvc_real h;
    dvc_status result;
} dvci_moment;

static bool dvci_moment_is_sound(const dvci_moment *m)
{
    return !(m->scene && m->scene->bad) && !(m->frame && m->frame->bad);
}

/* The frame says again how many there are. */
static void dvci_tape_same_count(dvci_moment *m, int count)
{
    if (m->frame && dvci_tape_count(m->frame, count) != count) m->frame->bad = true;
}

/* Makes `copy` the item `i` of the array, if there is one, else all zero. */
#define DVCI_FETCH(copy, m, array, i)                                                  \
    do {                                                                               \
        if ((m)->world && (m)->world->array) (copy) = (m)->world->array[i];            \
        else memset(&(copy), 0, sizeof(copy));                                         \
    } while (0)
#define DVCI_STORE(copy, m, array, i)                                                  \
    do {                                                                               \
        if ((m)->reading && (m)->world) (m)->world->array[i] = (copy);                 \
    } while (0)

static void dvci_tape_bodies(dvci_moment *m)
{
    int i;
    dvci_tape_same_count(m, m->bodies);
    for (i = 0; i < m->bodies && dvci_moment_is_sound(m); i++) {
        dvc_support support;
        dvc_body body;
        bool stands = false;
        DVCI_FETCH(body, m, bodies, i);
        memset(&support, 0, sizeof support);
        if (body.support) support = *body.support;
        if (m->scene) stands = dvci_tape_body_constants(m->scene, &body, &support);
        if (m->frame) dvci_tape_body_state(m->frame, &body, m->recorder && m->recorder->thin);
        if (m->supports) m->supports[i] = support;
        if (m->supports) body.support = stands ? &m->supports[i] : NULL;
        DVCI_STORE(body, m, bodies, i);
    }
}

static void dvci_tape_shapes(dvci_moment *m)
{
    int i;
    for (i = 0; i < m->shapes && m->scene && dvci_moment_is_sound(m); i++) {
        dvc_shape shape;
        DVCI_FETCH(shape, m, shapes, i);
        dvci_tape_shape(m->scene, &shape);
        DVCI_STORE(shape, m, shapes, i);
    }
}

static void dvci_tape_joints(dvci_moment *m)
{
    int i;
    dvci_tape_same_count(m, m->joints);
    for (i = 0; i < m->joints && dvci_moment_is_sound(m); i++) {
        dvc_joint joint;
        DVCI_FETCH(joint, m, joints, i);
        if (m->scene) dvci_tape_joint_constants(m->scene, &joint);
        if (m->frame) dvci_tape_joint_state(m->frame, &joint, m->reading ? 0 : dvc_joint_error(m->world, i));
        DVCI_STORE(joint, m, joints, i);
    }
}

static void dvci_tape_springs(dvci_moment *m)
{
    int i;
    dvci_tape_same_count(m, m->springs);
    for (i = 0; i < m->springs && dvci_moment_is_sound(m); i++) {
        dvc_spring spring;
        DVCI_FETCH(spring, m, springs, i);
        if (m->scene) dvci_tape_spring_constants(m->scene, &spring);
        if (m->frame) dvci_tape_spring_state(m->frame, &spring);
        DVCI_STORE(spring, m, springs, i);
    }
}

static void dvci_tape_rules(dvci_moment *m)
{
    int i;
    for (i = 0; i < m->rule_count && m->scene && dvci_moment_is_sound(m); i++) {
        dvc_pair_rule rule;
        DVCI_FETCH(rule, m, pair_rules, i);
        dvci_tape_rule(m->scene, &rule);
        if (m->rules) m->rules[i] = rule;
    }
}

/* A thin recording keeps contacts that push, and sensors that see something. */
static bool dvci_contact_is_kept(const dvci_moment *m, const dvc_contact *c)
{
    return !m->recorder->thin || c->normal_impulse > 0 || (c->sensor && (c->phase == DVC_BEGAN || c->phase == DVC_STAYS));
}

static int dvci_kept_contacts(const dvci_moment *m)
{
    int i, count = 0;
    for (i = 0; i < m->world->contact_count; i++) count += dvci_contact_is_kept(m, &m->world->contacts[i]);
    return m->frame->worst ? m->world->contact_capacity : count;
}

static void dvci_write_contacts(dvci_moment *m)
{
    int i, count = dvci_tape_count(m->frame, dvci_kept_contacts(m));
    for (i = 0; i < (m->frame->worst ? count : m->world->contact_count); i++) {
        dvc_contact contact;
        memset(&contact, 0, sizeof contact);
        if (i < m->world->contact_count) contact = m->world->contacts[i];
        if (m->frame->worst || dvci_contact_is_kept(m, &contact)) dvci_tape_contact(m->frame, &contact);
    }
}

static void dvci_read_contacts(dvci_moment *m)
{
    int i, count = dvci_tape_count(m->frame, 0);
    for (i = 0; i < count && !m->frame->bad; i++) {
        dvc_contact contact;
        memset(&contact, 0, sizeof contact);
        dvci_tape_contact(m->frame, &contact);
        if (m->world) m->world->contacts[i] = contact;
    }
    m->contacts = count;
    if (m->world) m->world->contact_count = count;
}

/* Counts and options. */
static void dvci_tape_scene_head(dvci_moment *m)
{
    dvc_world none, *world = m->world ? m->world : &none;
    memset(&none, 0, sizeof none);
    m->bodies = dvci_tape_count(m->scene, m->bodies);
    m->shapes = dvci_tape_count(m->scene, m->shapes);
    m->joints = dvci_tape_count(m->scene, m->joints);
    m->springs = dvci_tape_count(m->scene, m->springs);
    m->rule_count = dvci_tape_count(m->scene, m->rule_count);
    dvci_tape_options(m->scene, world);
}

/* What the frame tells beside the state, for those who look at it. */
static void dvci_tape_summary(dvci_tape *t, dvc_real *energy, dvc_vec3 *momentum, dvc_vec3 *angular)
{
    *energy = dvci_tape_real(t, *energy);
    dvci_tape_vec(t, momentum);
    dvci_tape_vec(t, angular);
}

static size_t dvci_longest_status_text(void)
{
    size_t longest = 0, length;
    int i;
    for (i = 0; i < DVC_STATUS_COUNT; i++)
        if ((length = strlen(dvc_status_text((dvc_status)i))) > longest) longest = length;
    return longest;
}

static void dvci_write_frame_head(dvci_moment *m)
{
    dvci_tape *t = m->frame;
    const dvc_recorder *recorder = m->recorder;
    dvc_vec3 momentum, angular;
    dvc_real energy = dvc_energy(m->world);
    int k, scalars = recorder->scalars ? recorder->scalar_count : 0;
    dvc_momentum(m->world, &momentum, &angular);
    dvci_tape_word(t, (uint32_t)m->number);
    dvci_tape_int(t, (int)m->result);
    dvci_write_text(t, m->result == DVC_OK ? NULL : dvc_status_text(m->result));
    if (t->worst) t->at += dvci_longest_status_text();
    dvci_tape_int(t, m->world->culprit);
    dvci_tape_double(t, m->world->time);
    dvci_tape_real(t, m->h);
    dvci_tape_number(t, dvc_world_hash(m->world), 8);
    dvci_tape_report(t, &m->world->report);
    dvci_tape_summary(t, &energy, &momentum, &angular);
    scalars = dvci_tape_count(t, scalars);
    for (k = 0; k < scalars; k++) dvci_tape_double(t, recorder->scalars[k]);
}

/* A status that this version does not know counts as DVC_STATUS_COUNT. */
static dvc_status dvci_read_status(dvci_tape *t)
{
    int status = dvci_tape_int(t, 0);
    const char *text = NULL;
    dvci_read_text(t, &text);
    return status < 0 || status > DVC_STATUS_COUNT ? DVC_STATUS_COUNT : (dvc_status)status;
}

static void dvci_read_frame_head(dvci_moment *m)
{
    dvci_tape *t = m->frame;
    dvc_recording *r = m->recording;
    dvc_report report;
    int k, scalars, culprit;
    if (dvci_tape_word(t, 0) != (uint32_t)m->number) t->bad = true;
    r->result = dvci_read_status(t);
    culprit = dvci_tape_int(t, 0);
    r->time = dvci_tape_double(t, 0);
    r->frame_h = dvci_tape_real(t, 0);
    r->hash = dvci_tape_number(t, 0, 8);
    memset(&report, 0, sizeof report);
    dvci_tape_report(t, &report);
    dvci_tape_summary(t, &r->energy, &r->momentum, &r->angular_momentum);
    r->scalars_at = r->frame_at + DVCI_CHUNK_BYTES + t->at;
    scalars = dvci_tape_count(t, 0);
    for (k = 0; k < scalars && !t->bad; k++) dvci_tape_double(t, 0);
    r->scalars = dvci_imax(r->scalars, scalars);
    if (!m->world) return;
    m->world->culprit = culprit;
    m->world->time = r->time;
    m->world->report = report;
}

/* The order of things in SCNE, and in FRAM. */
static void dvci_tape_moment(dvci_moment *m)
{
    if (m->scene) dvci_tape_scene_head(m);
    if (m->frame && m->reading) dvci_read_frame_head(m);
    if (m->frame && !m->reading) dvci_write_frame_head(m);
    dvci_tape_bodies(m);
    dvci_tape_shapes(m);
    dvci_tape_joints(m);
    dvci_tape_springs(m);
    dvci_tape_rules(m);
    if (m->frame && m->reading) dvci_read_contacts(m);
    if (m->frame && !m->reading) dvci_write_contacts(m);
}

/* ---- GEOM ---- */

enum { DVCI_NO_POINTS = 0, DVCI_OWN_POLYTOPE, DVCI_OWN_POLYGON, DVCI_SAME_POINTS };

static void dvci_tape_edge(dvci_tape *t, dvc_edge *e)
{
    e->tail = dvci_tape_int(t, e->tail);
    e->head = dvci_tape_int(t, e->head);
    e->face_1 = dvci_tape_int(t, e->face_1);
    e->face_2 = dvci_tape_int(t, e->face_2);
    dvci_tape_vec(t, &e->t1);
    dvci_tape_vec(t, &e->t2);
}

static void dvci_tape_plane(dvci_tape *t, dvc_face *f)
{
    dvci_tape_vec(t, &f->normal);
    f->offset = dvci_tape_real(t, f->offset);
}

static void dvci_tape_face_size(dvci_tape *t, dvc_face *f) { f->count = dvci_tape_int(t, f->count); }
static void dvci_tape_index(dvci_tape *t, int *x) { *x = dvci_tape_int(t, *x); }

/* All items of an array, or (reading into none) as many zeros. Arrays that are read into are our own, whatever const says. */
#define DVCI_TAPE_ARRAY(t, type, array, count, one)                            \
    do {                                                                       \
        int dvci_k;                                                            \
        for (dvci_k = 0; dvci_k < (count) && !(t)->bad; dvci_k++) {            \
            type dvci_item;                                                    \
            if (array) dvci_item = (array)[dvci_k];                            \
            else memset(&dvci_item, 0, sizeof dvci_item);                      \
            one(t, &dvci_item);                                                \
            if ((t)->reading && (array)) ((type *)(array))[dvci_k] = dvci_item; \
        }                                                                      \
    } while (0)

/* Zeroed, so that fields that are not on the tape have a value. */
static void *dvci_alloc_zeroed(dvci_arena *arena, size_t count, size_t size)
{
    void *block = dvci_alloc(arena, count, size);
    if (block) memset(block, 0, count * size);
    return block;
}

static void dvci_carve_polytope(dvc_polytope *p, dvci_arena *arena)
{
    size_t vertices = (size_t)p->vertex_count, edges = (size_t)p->edge_count, faces = (size_t)p->face_count;
    p->vertices = (const dvc_vec3 *)dvci_alloc_zeroed(arena, vertices, sizeof(dvc_vec3));
    p->edges = (const dvc_edge *)dvci_alloc_zeroed(arena, edges, sizeof(dvc_edge));
    p->faces = (const dvc_face *)dvci_alloc_zeroed(arena, faces, sizeof(dvc_face));
    p->loops = (const int *)dvci_alloc_zeroed(arena, 2 * edges, sizeof(int));
    p->around = (const int *)dvci_alloc_zeroed(arena, 2 * edges, sizeof(int));
    p->around_first = (const int *)dvci_alloc_zeroed(arena, vertices + 1, sizeof(int));
}

/* Counts that a hull can have, and that the tape has bytes for. */
static bool dvci_polytope_counts(const dvci_tape *t, const dvc_polytope *p)
{
    if (!dvci_hull_counts(p)) return false;
    return (size_t)p->vertex_count * 28 + (size_t)p->edge_count * 80 + (size_t)p->face_count * 36 + 60 <= t->size - t->at;
}

/* Reading carves its arrays from the arena, which may be one that only measures. */
static void dvci_tape_polytope(dvci_tape *t, dvc_polytope *p, dvci_arena *arena)
{
    p->vertex_count = dvci_tape_int(t, p->vertex_count);
    p->face_count = dvci_tape_int(t, p->face_count);
    p->edge_count = dvci_tape_int(t, p->edge_count);
    if (t->reading && !dvci_polytope_counts(t, p)) t->bad = true;
    if (t->bad) return;
    if (t->reading) dvci_carve_polytope(p, arena);
    DVCI_TAPE_ARRAY(t, dvc_vec3, p->vertices, p->vertex_count, dvci_tape_vec);
    DVCI_TAPE_ARRAY(t, dvc_face, p->faces, p->face_count, dvci_tape_face_size);
    DVCI_TAPE_ARRAY(t, int, p->loops, 2 * p->edge_count, dvci_tape_index);
    DVCI_TAPE_ARRAY(t, dvc_edge, p->edges, p->edge_count, dvci_tape_edge);
    DVCI_TAPE_ARRAY(t, dvc_face, p->faces, p->face_count, dvci_tape_plane);
    DVCI_TAPE_ARRAY(t, int, p->around, 2 * p->edge_count, dvci_tape_index);
    DVCI_TAPE_ARRAY(t, int, p->around_first, p->vertex_count + 1, dvci_tape_index);
    dvci_tape_vec(t, &p->low);
    dvci_tape_vec(t, &p->high);
    p->inner = dvci_tape_real(t, p->inner);
}

static bool dvci_shape_has_points(const dvc_shape *s)
{
    return (s->kind == DVC_POLYTOPE && dvci_check_polytope(s) == DVC_OK)
           || (s->kind == DVC_POLYGON && s->points && s->point_count > 0 && s->point_count <= DVC_WORLD_MAX_COUNT);
}

static bool dvci_same_points(const dvc_shape *a, const dvc_shape *b)
{
    if (a->kind != b->kind || !dvci_shape_has_points(a) || !dvci_shape_has_points(b)) return false;
    return a->kind == DVC_POLYTOPE ? a->polytope == b->polytope : a->points == b->points && a->point_count == b->point_count;
}

static void dvci_write_points(dvci_tape *t, const dvc_world *world, int i)
{
    const dvc_shape *s = &world->shapes[i];
    int earlier = 0;
    while (earlier < i && !dvci_same_points(&world->shapes[earlier], s)) earlier++;
    if (!dvci_shape_has_points(s)) dvci_tape_byte(t, DVCI_NO_POINTS);
    else if (earlier < i) {
        dvci_tape_byte(t, DVCI_SAME_POINTS);
        dvci_tape_int(t, earlier);
    } else if (s->kind == DVC_POLYTOPE) {
        dvc_polytope copy = *s->polytope;
        dvci_tape_byte(t, DVCI_OWN_POLYTOPE);
        dvci_tape_polytope(t, &copy, NULL);
    } else {
        dvci_tape_byte(t, DVCI_OWN_POLYGON);
        dvci_tape_int(t, s->point_count);
        DVCI_TAPE_ARRAY(t, dvc_vec2, s->points, s->point_count, dvci_tape_point);
    }
}

/* Tells whether GEOM has to come again. Polytopes are read-only once built; points of polygons are looked at. */
static void dvci_key_points(dvci_tape *t, const dvc_shape *s)
{
    if (!dvci_shape_has_points(s)) dvci_tape_byte(t, DVCI_NO_POINTS);
    else if (s->kind == DVC_POLYTOPE) dvci_tape_number(t, (uint64_t)(uintptr_t)s->polytope, 8);
    else DVCI_TAPE_ARRAY(t, dvc_vec2, s->points, s->point_count, dvci_tape_point);
}

static void dvci_tape_geometry(dvci_tape *t, const dvc_world *world)
{
    int i;
    dvci_tape_count(t, world->shape_count);
    for (i = 0; i < world->shape_count; i++)
        if (t->keying) dvci_key_points(t, &world->shapes[i]);
        else dvci_write_points(t, world, i);
}

/* Where a loop runs from `tail` to `head`, as a place in the face; -1: nowhere. */
static int dvci_loop_place(const dvc_polytope *p, int face, int tail, int head)
{
    const int *loop = p->loops + p->faces[face].first;
    int k, n = p->faces[face].count;
    for (k = 0; k < n; k++)
        if (loop[k] == tail && loop[(k + 1) % n] == head) return k;
    return -1;
}

/* Edges are those of the loops, in their order, each with the face behind it. */
static bool dvci_edges_are_sound(const dvc_polytope *p)
{
    int face, k, count = 0;
    for (face = 0; face < p->face_count; face++)
        for (k = 0; k < p->faces[face].count; k++) {
            const int *loop = p->loops + p->faces[face].first;
            int tail = loop[k], head = loop[(k + 1) % p->faces[face].count];
            const dvc_edge *edge = &p->edges[count];
            if (tail > head) continue;
            if (count++ == p->edge_count || edge->tail != tail || edge->head != head || edge->face_1 != face || tail == head
                || edge->face_2 < 0 || edge->face_2 >= p->face_count || edge->face_2 == face
                || dvci_loop_place(p, edge->face_2, head, tail) < 0 || !dvci_finite_vec(edge->t1) || !dvci_finite_vec(edge->t2))
                return false;
        }
    return count == p->edge_count;
}

/* The corner a, b, c turns left about n, or hardly turns at all. */
static bool dvci_turns_left(dvc_vec3 n, dvc_vec3 a, dvc_vec3 b, dvc_vec3 c, dvc_real tolerance)
{
    dvc_vec3 ab = dvci_sub(b, a), bc = dvci_sub(c, b);
    return dvci_dot(n, dvci_cross(ab, bc)) >= -tolerance * (dvci_norm(ab) + dvci_norm(bc));
}

/* All vertices lie behind the face, its own in it. Its corners turn left, also as seen from the first: that is once around. */
static bool dvci_face_is_sound(const dvc_polytope *p, const dvc_face *face, dvc_real size)
{
    const int *loop = p->loops + face->first;
    dvc_real tolerance = size * DVCI_R(DVCI_DOUBLE ? 1e-6 : 1e-3);
    int k, n = face->count;
    if (!(dvci_abs(dvci_norm(face->normal) - 1) <= DVCI_R(1e-3)) || !dvci_finite(face->offset)) return false;
    for (k = 0; k < p->vertex_count; k++)
        if (!(dvci_dot(face->normal, p->vertices[k]) - face->offset <= tolerance)) return false;
    for (k = 0; k < n; k++) {
        dvc_vec3 a = p->vertices[loop[k]], b = p->vertices[loop[(k + 1) % n]], c = p->vertices[loop[(k + 2) % n]];
        if (!(dvci_dot(face->normal, a) - face->offset >= -tolerance)) return false;
        if (!dvci_turns_left(face->normal, a, b, c, tolerance)) return false;
        if (!dvci_turns_left(face->normal, p->vertices[loop[0]], a, b, tolerance)) return false;
    }
    return true;
}

/* Loops follow each other, and their numbers are vertices. */
static bool dvci_loops_are_sound(const dvc_polytope *p)
{
    int i, first = 0;
    for (i = 0; i < p->face_count; i++) {
        if (p->faces[i].count < 3 || p->faces[i].count > 2 * p->edge_count - first) return false;
        ((dvc_face *)p->faces)[i].first = first; /* the storage is ours */
        first += p->faces[i].count;
    }
    for (i = 0; i < 2 * p->edge_count; i++) {
        int vertex = p->loops[i], neighbour = p->around[i];
        if (vertex < 0 || vertex >= p->vertex_count || neighbour < 0 || neighbour >= p->vertex_count) return false;
    }
    for (i = 0; i < p->vertex_count; i++)
        if (p->around_first[i] > p->around_first[i + 1]) return false;
    return first == 2 * p->edge_count && p->around_first[0] == 0 && p->around_first[p->vertex_count] == first;
}

/* Is what was read a convex hull that a step may walk on? Counts are sound already. */
static bool dvci_polytope_is_sound(const dvc_polytope *p)
{
    dvc_polytope measured = *p;
    int i;
    for (i = 0; i < p->vertex_count; i++)
        if (!dvci_within_vec(p->vertices[i], DVC_LARGEST)) return false;
    if (!dvci_loops_are_sound(p) || !dvci_edges_are_sound(p)) return false;
    dvci_polytope_measure(&measured);
    if (!dvci_finite_vec(p->low) || !dvci_finite_vec(p->high) || p->inner != measured.inner) return false;
    for (i = 0; i < p->face_count; i++)
        if (!dvci_face_is_sound(p, &p->faces[i], dvci_norm(dvci_sub(measured.high, measured.low)))) return false;
    return memcmp(&p->low, &measured.low, sizeof p->low) == 0 && memcmp(&p->high, &measured.high, sizeof p->high) == 0;
}

static void dvci_read_polygon(dvci_tape *t, dvc_shape *s, dvci_arena *arena)
{
    s->point_count = dvci_tape_count(t, 0);
    s->points = (const dvc_vec2 *)dvci_alloc_zeroed(arena, (size_t)s->point_count, sizeof(dvc_vec2));
    DVCI_TAPE_ARRAY(t, dvc_vec2, s->points, s->point_count, dvci_tape_point);
}

/* Points of one shape, carved from the arena; `polytopes` is none when only measuring. */
static void dvci_read_points(dvci_tape *t, dvc_shape *shapes, dvc_polytope *polytopes, int i, dvci_arena *arena)
{
    uint32_t what = dvci_tape_byte(t, 0);
    dvc_polytope polytope;
    dvc_shape shape;
    memset(&polytope, 0, sizeof polytope);
    memset(&shape, 0, sizeof shape);
    if (what == DVCI_SAME_POINTS) {
        int earlier = dvci_tape_int(t, 0);
        if (earlier < 0 || earlier >= i) t->bad = true;
        else if (shapes) shape = shapes[earlier];
    } else if (what == DVCI_OWN_POLYGON) dvci_read_polygon(t, &shape, arena);
    else if (what == DVCI_OWN_POLYTOPE) dvci_tape_polytope(t, &polytope, arena);
    else if (what != DVCI_NO_POINTS) t->bad = true;
    if (!shapes || t->bad || arena->failed) return;
    if (what == DVCI_OWN_POLYTOPE && !dvci_polytope_is_sound(&polytope)) t->bad = true;
    polytopes[i] = polytope;
    shapes[i].polytope = what == DVCI_OWN_POLYTOPE ? &polytopes[i] : shape.polytope;
    shapes[i].points = shape.points;
    shapes[i].point_count = shape.point_count;
}

/* ---- writing ---- */

typedef enum dvci_chunk_kind {
    DVCI_NAME_CHUNK, DVCI_GEOM_CHUNK, DVCI_SCNE_CHUNK, DVCI_FRAM_CHUNK, DVCI_DONE_CHUNK, DVCI_CHUNK_KINDS
} dvci_chunk_kind;

static const char dvci_tags[DVCI_CHUNK_KINDS][5] = { "NAME", "GEOM", "SCNE", "FRAM", "DONE" };

static void dvci_write_names(dvci_tape *t, const char *const *names, int count)
{
    int i;
    if (!names) count = 0;
    dvci_tape_count(t, count);
    for (i = 0; i < count; i++) dvci_write_text(t, names[i]);
}

/* World and frame as a moment to be written; the world is not changed. */
static dvci_moment dvci_moment_of(const dvc_recorder *recorder, const dvc_world *world)
{
    dvci_moment m;
    memset(&m, 0, sizeof m);
    m.recorder = recorder;
    m.world = (dvc_world *)world;
    m.bodies = world->body_count;
    m.shapes = world->shape_count;
    m.joints = world->joint_count;
    m.springs = world->spring_count;
    m.rule_count = world->pair_rule_count;
    m.number = recorder->frames;
    return m;
}

static void dvci_write_payload(dvci_tape *t, dvci_chunk_kind kind, const dvci_moment *moment)
{
    const dvc_recorder *recorder = moment->recorder;
    dvci_moment m = *moment;
    switch (kind) {
    case DVCI_NAME_CHUNK:
        dvci_write_text(t, recorder->title);
        dvci_write_names(t, recorder->body_names, recorder->body_name_count);
        dvci_write_names(t, recorder->scalar_names, recorder->scalar_count);
        break;
    case DVCI_GEOM_CHUNK: dvci_tape_geometry(t, m.world); break;
    case DVCI_SCNE_CHUNK:
        m.scene = t;
        dvci_tape_moment(&m);
        break;
    case DVCI_FRAM_CHUNK:
        m.frame = t;
        dvci_tape_moment(&m);
        break;
    default:
        dvci_tape_word(t, (uint32_t)recorder->frames);
        dvci_tape_word(t, (uint32_t)recorder->failed);
        dvci_tape_word(t, (uint32_t)recorder->inexact);
    }
}

/* The bytes from `used` on are whole: they stay, or go to the writer. */
static void dvci_record_take(dvc_recorder *recorder, size_t bytes)
{
    if (!recorder->write) recorder->used += bytes;
    else if (!recorder->write(recorder->user, recorder->buffer, bytes)) recorder->status = DVC_ERROR_RECORD_WRITE;
}

static bool dvci_record_fits(dvc_recorder *recorder, const dvci_tape *t)
{
    recorder->needed = recorder->used + t->at;
    if (t->at <= t->size && t->at - DVCI_CHUNK_BYTES <= 0xffffffffu) return true;
    recorder->status = DVC_ERROR_RECORD_ROOM;
    return false;
}

static void dvci_record_chunk(dvc_recorder *recorder, dvci_chunk_kind kind, const dvci_moment *moment)
{
    dvci_tape t = dvci_tape_over(recorder->buffer + recorder->used, recorder->size - recorder->used);
    dvci_tape head = t;
    if (recorder->status != DVC_OK) return;
    t.at = DVCI_CHUNK_BYTES;
    dvci_write_payload(&t, kind, moment);
    if (!dvci_record_fits(recorder, &t)) return;
    memcpy(head.out, dvci_tags[kind], 4);
    head.at = 4;
    dvci_tape_word(&head, (uint32_t)(t.at - DVCI_CHUNK_BYTES));
    dvci_tape_word(&head, dvci_adler32(t.out + DVCI_CHUNK_BYTES, t.at - DVCI_CHUNK_BYTES));
    dvci_record_take(recorder, t.at);
}

static void dvci_record_header(dvc_recorder *recorder, const dvc_world *world, dvc_real h)
{
    dvci_tape t = dvci_tape_over(recorder->buffer, recorder->size);
    dvc_vec3 gravity = world->gravity;
    int k;
    for (k = 0; k < 8; k++) dvci_tape_byte(&t, (unsigned char)dvci_record_magic[k]);
    dvci_tape_word(&t, DVCI_RECORD_VERSION);
    dvci_tape_word(&t, DVCI_HEADER_BYTES);
    dvci_tape_word(&t, sizeof(dvc_real));
    dvci_tape_word(&t, (world->planar ? 1u : 0u) | (recorder->thin ? 2u : 0u));
    dvci_tape_real(&t, h);
    dvci_tape_vec(&t, &gravity);
    dvci_tape_word(&t, DVC_VERSION);
    dvci_tape_word(&t, recorder->size >= DVCI_HEADER_BYTES ? dvci_adler32(t.out, DVCI_HEADER_BYTES - 4) : 0);
    if (dvci_record_fits(recorder, &t)) dvci_record_take(recorder, DVCI_HEADER_BYTES);
}

/* Only arrays that can be walked can be recorded; anything else that is wrong with a world is. */
static dvc_status dvci_recordable(const dvc_recorder *recorder, const dvc_world *world)
{
    if (!recorder || !world) return DVC_ERROR_NULL;
    if (!dvci_check_count(recorder->body_name_count) || !dvci_check_count(recorder->scalar_count)) return DVC_ERROR_COUNT;
    return dvci_check_arrays(world);
}

static uint64_t dvci_chunk_key(dvci_chunk_kind kind, const dvci_moment *moment)
{
    dvci_tape t = dvci_tape_over(NULL, 0);
    t.keying = true;
    dvci_write_payload(&t, kind, moment);
    return t.key;
}

/* What is said once is said again when it has changed. */
static void dvci_record_scene(dvc_recorder *recorder, const dvci_moment *m)
{
    uint64_t geometry = dvci_chunk_key(DVCI_GEOM_CHUNK, m), scene = dvci_chunk_key(DVCI_SCNE_CHUNK, m);
    bool first = recorder->frames == 0, fresh = first || geometry != recorder->geometry_key;
    if (fresh) {
        dvci_record_chunk(recorder, DVCI_GEOM_CHUNK, m);
        recorder->scene_key = ~scene; /* whatever comes between: a SCNE follows */
    }
    if (recorder->status == DVC_OK) recorder->geometry_key = geometry;
    if (scene != recorder->scene_key) dvci_record_chunk(recorder, DVCI_SCNE_CHUNK, m);
    if (recorder->status == DVC_OK) recorder->scene_key = scene;
}

static dvc_status dvci_record_frame(dvc_recorder *recorder, const dvc_world *world, dvc_real h, dvc_status result)
{
    dvci_moment m = dvci_moment_of(recorder, world);
    m.h = h;
    m.result = result;
    dvci_record_scene(recorder, &m);
    dvci_record_chunk(recorder, DVCI_FRAM_CHUNK, &m);
    if (recorder->status != DVC_OK) return recorder->status;
    recorder->frames++;
    recorder->failed += result != DVC_OK;
    recorder->inexact += world->report.inexact > 0;
    return DVC_OK;
}

DVC_API dvc_status dvc_record_begin(dvc_recorder *recorder, const dvc_world *world, dvc_real h)
{
    dvci_moment m;
    dvc_status status = dvci_recordable(recorder, world);
    if (status == DVC_OK && !recorder->buffer) status = DVC_ERROR_NULL;
    if (status != DVC_OK) return status;
    recorder->used = recorder->needed = 0;
    recorder->frames = recorder->failed = recorder->inexact = 0;
    recorder->status = DVC_OK;
    m = dvci_moment_of(recorder, world);
    dvci_record_header(recorder, world, h);
    dvci_record_chunk(recorder, DVCI_NAME_CHUNK, &m);
    return dvci_record_frame(recorder, world, 0, DVC_OK);
}

DVC_API dvc_status dvc_record_step(dvc_recorder *recorder, const dvc_world *world, dvc_real h, dvc_status result)
{
    dvc_status status = dvci_recordable(recorder, world);
    if (status == DVC_OK && !recorder->buffer) status = DVC_ERROR_NULL;
    if (status != DVC_OK) return status;
    return recorder->status == DVC_OK ? dvci_record_frame(recorder, world, h, result) : recorder->status;
}

DVC_API dvc_status dvc_record_end(dvc_recorder *recorder)
{
    dvci_moment m;
    if (!recorder || !recorder->buffer) return DVC_ERROR_NULL;
    memset(&m, 0, sizeof m);
    m.recorder = recorder;
    dvci_record_chunk(recorder, DVCI_DONE_CHUNK, &m);
    return recorder->status;
}

DVC_API size_t dvc_record_room(const dvc_recorder *recorder, const dvc_world *world)
{
    dvci_moment m;
    size_t room = DVCI_HEADER_BYTES;
    int kind;
    if (dvci_recordable(recorder, world) != DVC_OK) return 0;
    m = dvci_moment_of(recorder, world);
    for (kind = DVCI_NAME_CHUNK; kind < DVCI_CHUNK_KINDS; kind++) {
        dvci_tape t = dvci_tape_over(NULL, 0);
        t.worst = true;
        t.at = DVCI_CHUNK_BYTES;
        dvci_write_payload(&t, (dvci_chunk_kind)kind, &m);
        if (t.at > room) room = t.at;
    }
    return room;
}

/* ---- reading ---- */

typedef struct dvci_chunk {
    size_t at, size;              /* of the whole chunk in the bytes */
    const unsigned char *tag;
    uint32_t sum;
    dvci_tape payload;
} dvci_chunk;

/* False: the bytes up to `end` hold no whole chunk at `at`. */
static bool dvci_chunk_at(const dvc_recording *r, size_t at, size_t end, dvci_chunk *chunk)
{
    dvci_tape head;
    size_t payload;
    if (at > end || end - at < DVCI_CHUNK_BYTES) return false;
    head = dvci_tape_from(r->bytes + at, DVCI_CHUNK_BYTES);
    head.at = 4;
    payload = dvci_tape_word(&head, 0);
    chunk->sum = dvci_tape_word(&head, 0);
    if (payload > end - at - DVCI_CHUNK_BYTES) return false;
    chunk->at = at;
    chunk->size = DVCI_CHUNK_BYTES + payload;
    chunk->tag = r->bytes + at;
    chunk->payload = dvci_tape_from(r->bytes + at + DVCI_CHUNK_BYTES, payload);
    return true;
}

static bool dvci_chunk_is(const dvci_chunk *chunk, dvci_chunk_kind kind) { return memcmp(chunk->tag, dvci_tags[kind], 4) == 0; }

static dvci_tape dvci_payload_at(const dvc_recording *r, size_t at)
{
    dvci_chunk chunk;
    if (at == 0 || !dvci_chunk_at(r, at, r->good, &chunk)) {
        chunk.payload = dvci_tape_from(NULL, 0);
        chunk.payload.bad = true;
    }
    return chunk.payload;
}

/* Moves the cursor over a chunk. Points belong to the SCNE that follows them. */
static void dvci_recording_pass(dvc_recording *r, const dvci_chunk *chunk)
{
    if (dvci_chunk_is(chunk, DVCI_NAME_CHUNK)) r->names_at = chunk->at;
    if (dvci_chunk_is(chunk, DVCI_SCNE_CHUNK)) r->scene_at = chunk->at;
    if (dvci_chunk_is(chunk, DVCI_FRAM_CHUNK)) r->frame_at = chunk->at;
    if (!dvci_chunk_is(chunk, DVCI_GEOM_CHUNK)) return;
    r->geometry_at = chunk->at;
    r->scene_at = 0;
}

static void dvci_recording_rewind(dvc_recording *r)
{
    r->geometry_at = r->scene_at = r->frame_at = r->scalars_at = 0;
    r->frame = -1;
}

static void dvci_carve_stage(dvc_world *stage, const dvci_moment *counts, dvci_arena *arena)
{
    memset(stage, 0, sizeof *stage);
    stage->body_count = counts->bodies;
    stage->shape_count = counts->shapes;
    stage->joint_count = counts->joints;
    stage->spring_count = counts->springs;
    stage->pair_rule_count = counts->rule_count;
    stage->bodies = (dvc_body *)dvci_alloc_zeroed(arena, (size_t)counts->bodies, sizeof(dvc_body));
    stage->shapes = (dvc_shape *)dvci_alloc_zeroed(arena, (size_t)counts->shapes, sizeof(dvc_shape));
    stage->joints = (dvc_joint *)dvci_alloc_zeroed(arena, (size_t)counts->joints, sizeof(dvc_joint));
    stage->springs = (dvc_spring *)dvci_alloc_zeroed(arena, (size_t)counts->springs, sizeof(dvc_spring));
}

/* Lays out the arrays of the scene under the cursor, and reads the points of its shapes; an arena without a block measures.
 * False: damaged. */
static bool dvci_read_stage(const dvc_recording *r, dvc_world *stage, dvci_moment *m, dvci_arena *arena)
{
    dvci_tape scene = dvci_payload_at(r, r->scene_at), points = dvci_payload_at(r, r->geometry_at);
    dvc_polytope *polytopes;
    int i;
    m->scene = &scene;
    dvci_tape_scene_head(m);
    m->scene = NULL;
    if (scene.bad || dvci_tape_count(&points, 0) != m->shapes) return false;
    dvci_carve_stage(stage, m, arena);
    m->rules = (dvc_pair_rule *)dvci_alloc_zeroed(arena, (size_t)m->rule_count, sizeof(dvc_pair_rule));
    m->supports = (dvc_support *)dvci_alloc_zeroed(arena, (size_t)m->bodies, sizeof(dvc_support));
    polytopes = (dvc_polytope *)dvci_alloc_zeroed(arena, (size_t)m->shapes, sizeof(dvc_polytope));
    stage->pair_rules = m->rules;
    for (i = 0; i < m->shapes && !points.bad && !arena->failed; i++)
        dvci_read_points(&points, arena->base ? stage->shapes : NULL, polytopes, i, arena);
    return !points.bad;
}

/* The frame under the cursor, whose number this must be. */
static bool dvci_read_moment(dvc_recording *r, int number, dvci_moment *m)
{
    dvci_tape scene = dvci_payload_at(r, r->scene_at), frame = dvci_payload_at(r, r->frame_at);
    m->reading = true;
    m->recording = r;
    m->number = number;
    m->scene = &scene;
    m->frame = &frame;
    dvci_tape_moment(m);
    m->scene = m->frame = NULL;
    return !scene.bad && !frame.bad;
}

static dvc_status dvci_read_header(dvc_recording *r, size_t *first)
{
    dvci_tape t = dvci_tape_from(r->bytes, r->size);
    size_t shown = r->size < 8 ? r->size : 8;
    uint32_t version, real, flags, sum;
    t.at = shown;
    if (memcmp(r->bytes, dvci_record_magic, shown) != 0) return DVC_ERROR_RECORDING_MAGIC;
    version = dvci_tape_word(&t, 0);
    if (!t.bad && version != DVCI_RECORD_VERSION) return DVC_ERROR_RECORDING_VERSION;
    *first = dvci_tape_word(&t, 0);
    real = dvci_tape_word(&t, 0);
    flags = dvci_tape_word(&t, 0);
    r->h = dvci_tape_real(&t, 0);
    if (r->size < DVCI_HEADER_BYTES || *first > r->size) return DVC_ERROR_RECORDING_CUT;
    t.at = DVCI_HEADER_BYTES - 4; /* gravity and DVC_VERSION are for other readers: a SCNE tells gravity, too */
    sum = dvci_tape_word(&t, 0);
    if (t.bad || *first < DVCI_HEADER_BYTES || sum != dvci_adler32(r->bytes, DVCI_HEADER_BYTES - 4))
        return DVC_ERROR_RECORDING_DAMAGED;
    r->planar = dvci_bit(flags, 0);
    r->thin = dvci_bit(flags, 1);
    return real == sizeof(dvc_real) ? DVC_OK : DVC_ERROR_RECORDING_REAL;
}

static void dvci_recording_count(dvc_recording *r, const dvci_moment *m)
{
    r->frames++;
    r->bodies = dvci_imax(r->bodies, m->bodies);
    r->shapes = dvci_imax(r->shapes, m->shapes);
    r->joints = dvci_imax(r->joints, m->joints);
    r->springs = dvci_imax(r->springs, m->springs);
    r->pair_rules = dvci_imax(r->pair_rules, m->rule_count);
    r->contacts = dvci_imax(r->contacts, m->contacts);
}

/* Is the content of the chunk under the cursor sound? */
static bool dvci_recording_admit(dvc_recording *r, const dvci_chunk *chunk)
{
    dvci_arena arena = dvci_arena_measure();
    dvci_tape payload = chunk->payload;
    dvci_moment m;
    dvc_world stage;
    memset(&m, 0, sizeof m);
    if (r->complete || chunk->sum != dvci_adler32(chunk->payload.in, chunk->payload.size)) return false;
    if (dvci_chunk_is(chunk, DVCI_SCNE_CHUNK)) {
        m.reading = true;
        if (!dvci_read_stage(r, &stage, &m, &arena)) return false;
        if (dvci_arena_bytes(arena.peak) > r->storage_needed) r->storage_needed = dvci_arena_bytes(arena.peak);
    }
    if (dvci_chunk_is(chunk, DVCI_FRAM_CHUNK)) {
        if (!dvci_read_moment(r, r->frames, &m)) return false;
        dvci_recording_count(r, &m);
    }
    if (!dvci_chunk_is(chunk, DVCI_DONE_CHUNK)) return true;
    r->complete = dvci_tape_word(&payload, 0) == (uint32_t)r->frames; /* were all of them known as such? */
    return r->complete;
}

DVC_API dvc_status dvc_recording_open(const void *bytes, size_t size, dvc_recording *out)
{
    dvc_status status;
    dvci_chunk chunk;
    size_t at = 0;
    if (!bytes || !out) return DVC_ERROR_NULL;
    memset(out, 0, sizeof *out);
    dvci_recording_rewind(out);
    out->bytes = (const unsigned char *)bytes;
    out->size = size;
    status = dvci_read_header(out, &at);
    if (status == DVC_OK) out->good = at;
    while (status == DVC_OK && at < size) {
        if (!dvci_chunk_at(out, at, size, &chunk)) status = DVC_ERROR_RECORDING_CUT;
        else {
            out->good = at += chunk.size; /* the cursor may look at it */
            dvci_recording_pass(out, &chunk);
            if (!dvci_recording_admit(out, &chunk)) status = DVC_ERROR_RECORDING_DAMAGED;
            if (status != DVC_OK) out->good = chunk.at;
        }
    }
    dvci_recording_rewind(out);
    return status;
}

/* Puts the cursor on a frame: from where it is, if that is before it. */
static dvc_status dvci_recording_seek(dvc_recording *r, int frame)
{
    dvci_tape header;
    dvci_chunk chunk;
    size_t at = r->frame_at;
    int number = r->frame - 1;
    if (!r->bytes) return DVC_ERROR_NULL;
    if (frame < 0 || frame >= r->frames) return DVC_ERROR_RECORDING_FRAME;
    if (r->frame < 0 || frame < r->frame) {
        dvci_recording_rewind(r);
        header = dvci_tape_from(r->bytes + 12, 4);
        at = dvci_tape_word(&header, 0);
        number = -1;
    }
    for (; dvci_chunk_at(r, at, r->good, &chunk); at += chunk.size) {
        dvci_recording_pass(r, &chunk);
        number += dvci_chunk_is(&chunk, DVCI_FRAM_CHUNK);
        r->frame = number;
        if (number == frame) return DVC_OK;
    }
    dvci_recording_rewind(r);
    return DVC_ERROR_RECORDING_DAMAGED; /* the bytes have changed since they were opened */
}

static bool dvci_same_counts(const dvc_polytope *a, const dvc_polytope *b)
{
    return a && b && a->vertex_count == b->vertex_count && a->edge_count == b->edge_count && a->face_count == b->face_count;
}

/* Has shape i of the world points like those on the tape? */
static bool dvci_points_match(dvci_tape *t, const dvc_world *world, int i)
{
    const dvc_shape *shape = &world->shapes[i], *other;
    dvci_arena arena = dvci_arena_measure();
    uint32_t what = dvci_tape_byte(t, 0);
    dvc_polytope polytope;
    dvc_shape polygon;
    int earlier;
    memset(&polytope, 0, sizeof polytope);
    memset(&polygon, 0, sizeof polygon);
    if (what == DVCI_OWN_POLYTOPE) dvci_tape_polytope(t, &polytope, &arena);
    if (what == DVCI_OWN_POLYTOPE) return dvci_same_counts(&polytope, shape->polytope);
    if (what == DVCI_OWN_POLYGON) dvci_read_polygon(t, &polygon, &arena);
    if (what == DVCI_OWN_POLYGON) return shape->points && shape->point_count == polygon.point_count;
    if (what != DVCI_SAME_POINTS) return what == DVCI_NO_POINTS;
    earlier = dvci_tape_int(t, 0);
    if (earlier < 0 || earlier >= i) return false;
    other = &world->shapes[earlier];
    return other->polytope ? dvci_same_counts(other->polytope, shape->polytope)
                           : shape->points && shape->point_count == other->point_count;
}

/* Has the world the arrays and points of the scene under the cursor, whose counts are in `m`? */
static bool dvci_world_matches(const dvc_recording *r, const dvci_moment *m, const dvc_world *world)
{
    dvci_tape points = dvci_payload_at(r, r->geometry_at);
    int i;
    if (world->body_count != m->bodies || world->shape_count != m->shapes || world->joint_count != m->joints
        || world->spring_count != m->springs || world->pair_rule_count != m->rule_count) return false;
    if (dvci_check_arrays(world) != DVC_OK) return false;
    if (dvci_tape_count(&points, 0) != m->shapes) return false;
    for (i = 0; i < m->shapes; i++)
        if (!dvci_points_match(&points, world, i) || points.bad) return false;
    return true;
}

/* Reads the frame under the cursor twice: to see that all is well, and into the world. */
static dvc_status dvci_restore(dvc_recording *r, dvci_moment *m, dvc_world *world)
{
    m->world = NULL;
    if (!dvci_read_moment(r, r->frame, m)) return DVC_ERROR_RECORDING_DAMAGED;
    if (!world) return DVC_OK;
    if (!dvci_world_matches(r, m, world)) return DVC_ERROR_RECORDING_WORLD;
    if (m->contacts > world->contact_capacity) {
        world->report.contacts_needed = m->contacts;
        return DVC_ERROR_CONTACTS;
    }
    m->world = world;
    return dvci_read_moment(r, r->frame, m) ? DVC_OK : DVC_ERROR_RECORDING_DAMAGED;
}

DVC_API dvc_status dvc_recording_frame(dvc_recording *recording, int frame, dvc_world *world)
{
    dvci_moment m;
    dvc_status status = recording ? dvci_recording_seek(recording, frame) : DVC_ERROR_NULL;
    memset(&m, 0, sizeof m);
    return status == DVC_OK ? dvci_restore(recording, &m, world) : status;
}

/* The caller's world with the arrays of another. */
static dvc_world dvci_world_with(const dvc_world *world, const dvc_world *arrays)
{
    dvc_world w = *world;
    w.bodies = arrays->bodies;
    w.body_count = arrays->body_count;
    w.shapes = arrays->shapes;
    w.shape_count = arrays->shape_count;
    w.joints = arrays->joints;
    w.joint_count = arrays->joint_count;
    w.springs = arrays->springs;
    w.spring_count = arrays->spring_count;
    w.pair_rules = arrays->pair_rules;
    w.pair_rule_count = arrays->pair_rule_count;
    w.contact_count = 0;
    return w;
}

DVC_API dvc_status dvc_recording_world(dvc_recording *recording, int frame, void *storage, size_t storage_size, dvc_world *world)
{
    dvci_arena arena = dvci_arena_over(storage, storage_size);
    dvc_world stage;
    dvci_moment m;
    dvc_status status;
    if (!recording || !storage || !world) return DVC_ERROR_NULL;
    status = dvci_recording_seek(recording, frame);
    if (status != DVC_OK) return status;
    memset(&m, 0, sizeof m);
    m.reading = true;
    if (!dvci_read_stage(recording, &stage, &m, &arena)) return DVC_ERROR_RECORDING_DAMAGED;
    if (arena.failed) return DVC_ERROR_STORAGE;
    stage = dvci_world_with(world, &stage);
    status = dvci_restore(recording, &m, &stage);
    if (status == DVC_ERROR_CONTACTS) world->report.contacts_needed = stage.report.contacts_needed;
    if (status == DVC_OK) *world = stage;
    return status;
}

DVC_API double dvc_recording_scalar(const dvc_recording *recording, int scalar)
{
    dvci_tape t;
    int count, k;
    if (!recording || recording->frame < 0 || recording->scalars_at == 0 || scalar < 0) return 0;
    t = dvci_tape_from(recording->bytes + recording->scalars_at, recording->good - recording->scalars_at);
    count = dvci_tape_count(&t, 0);
    for (k = 0; k < count && k < scalar; k++) dvci_tape_double(&t, 0);
    return scalar < count ? dvci_tape_double(&t, 0) : 0;
}

/* The text at `index` of a list; the tape goes behind the list. */
static size_t dvci_read_listed(dvci_tape *t, int index, const char **text)
{
    int count = dvci_tape_count(t, 0), k;
    size_t length = 0;
    for (k = 0; k < count && !t->bad; k++) {
        const char *other = NULL;
        size_t size = dvci_read_text(t, &other);
        if (k == index) *text = other;
        if (k == index) length = size;
    }
    return length;
}

DVC_API size_t dvc_recording_name(const dvc_recording *recording, dvc_name kind, int index, const char **text)
{
    const char *ignored = NULL;
    dvci_tape t;
    size_t length;
    if (!recording || !text) return 0;
    *text = NULL;
    t = dvci_payload_at(recording, recording->names_at);
    length = dvci_read_text(&t, kind == DVC_NAME_TITLE && index == 0 ? text : &ignored);
    if (kind == DVC_NAME_TITLE) return *text ? length : 0;
    length = dvci_read_listed(&t, kind == DVC_NAME_BODY ? index : -1, kind == DVC_NAME_BODY ? text : &ignored);
    if (kind == DVC_NAME_BODY) return length;
    return dvci_read_listed(&t, index, text);
}

/* ------------------------------------------------------------------------------------------------
 * >>inspect  questions to a world
 * ------------------------------------------------------------------------------------------------ */
DVC_API void dvc_body_apply(dvc_body *body, dvc_vec3 force, dvc_vec3 point)
{
    if (!body) return;
    body->force = dvci_add(body->force, force);
    body->torque = dvci_add(body->torque, dvci_cross(dvci_sub(point, body->position), force));
}

DVC_API dvc_vec3 dvc_point_velocity(const dvc_body *body, dvc_vec3 point)
{
    if (!body) return dvci_vec(0, 0, 0);
    return dvci_add(body->velocity, dvci_cross(body->angular_velocity, dvci_sub(point, body->position)));
}

DVC_API dvc_quat dvc_quat_turn(dvc_vec3 axis, dvc_real angle)
{
    return dvci_quat_exp(dvci_scale(dvci_unit(axis), dvci_within(angle, DVC_LARGEST) ? angle : 0));
}

DVC_API dvc_vec3 dvc_body_point(const dvc_body *body, dvc_vec3 local)
{
    if (!body) return local;
    return dvci_add(body->position, dvci_rotate(dvci_quat_unit(body->orientation), local));
}

static dvc_vec3 dvci_user_moments(const dvc_world *world, const dvc_body *body)
{
    return world->planar ? dvci_vec(0, 0, body->inertia.z) : body->inertia;
}

/* How many bodies there are to be asked. */
static int dvci_bodies_of(const dvc_world *world)
{
    return world && world->bodies && dvci_check_count(world->body_count) ? world->body_count : 0;
}

DVC_API dvc_real dvc_energy(const dvc_world *world)
{
    dvc_real sum = 0;
    int i, count = dvci_bodies_of(world);
    for (i = 0; i < count; i++) {
        const dvc_body *body = &world->bodies[i];
        if (body->disabled || body->kind != DVC_DYNAMIC) continue;
        sum += dvci_kinetic(body->mass, dvci_user_moments(world, body), dvci_flat(body->velocity, world->planar),
                            dvci_quat_unit(body->orientation), body->angular_velocity);
        sum -= body->mass * dvci_dot(dvci_flat(world->gravity, world->planar), dvci_flat(body->position, world->planar));
    }
    return sum;
}

DVC_API void dvc_momentum(const dvc_world *world, dvc_vec3 *linear, dvc_vec3 *angular)
{
    dvc_vec3 p = dvci_vec(0, 0, 0), l = p;
    int i, count = dvci_bodies_of(world);
    for (i = 0; i < count; i++) {
        const dvc_body *body = &world->bodies[i];
        dvc_quat q = dvci_quat_unit(body->orientation);
        dvc_vec3 mv = dvci_scale(dvci_flat(body->velocity, world->planar), body->mass), m = dvci_user_moments(world, body), own;
        if (body->disabled || body->kind != DVC_DYNAMIC) continue;
        own = dvci_rotate(dvci_quat_conj(q), body->angular_velocity);
        p = dvci_add(p, mv);
        l = dvci_add(l, dvci_cross(dvci_flat(body->position, world->planar), mv));
        l = dvci_add(l, dvci_rotate(q, dvci_vec(m.x * own.x, m.y * own.y, m.z * own.z)));
    }
    if (linear) *linear = p;
    if (angular) *angular = l;
}

static uint64_t dvci_hash_word(uint64_t hash, uint64_t word)
{
    int k;
    for (k = 0; k < 8; k++) hash = (hash ^ (word >> (8 * k) & 0xffu)) * (uint64_t)1099511628211u; /* FNV-1a, byte by byte */
    return hash;
}

static uint64_t dvci_hash_real(uint64_t hash, dvc_real x)
{
    double wide = (double)x;
    uint64_t word;
    memcpy(&word, &wide, sizeof word);
    return dvci_hash_word(hash, word);
}

static uint64_t dvci_hash_vec(uint64_t hash, dvc_vec3 v)
{
    return dvci_hash_real(dvci_hash_real(dvci_hash_real(hash, v.x), v.y), v.z);
}

DVC_API uint64_t dvc_world_hash(const dvc_world *world)
{
    uint64_t hash = (uint64_t)14695981039346656037u, word;
    int i;
    if (!world || dvci_check_arrays(world) != DVC_OK) return 0;
    memcpy(&word, &world->time, sizeof word);
    hash = dvci_hash_word(hash, word);
    for (i = 0; i < world->body_count; i++) {
        const dvc_body *body = &world->bodies[i];
        hash = dvci_hash_vec(hash, body->position);
        hash = dvci_hash_vec(dvci_hash_real(hash, body->orientation.w), dvci_quat_vec(body->orientation));
        hash = dvci_hash_vec(dvci_hash_vec(hash, body->velocity), body->angular_velocity);
    }
    for (i = 0; i < world->contact_count; i++) {
        const dvc_contact *c = &world->contacts[i];
        hash = dvci_hash_word(hash, (uint64_t)c->shape_a << 32 | (uint32_t)c->shape_b);
        hash = dvci_hash_word(hash, (uint64_t)c->feature_a << 32 | c->feature_b);
        hash = dvci_hash_vec(dvci_hash_real(hash, c->gap), c->impulse);
        hash = dvci_hash_word(dvci_hash_real(hash, c->normal_impulse), (uint64_t)c->warm << 1 | (c->chosen ? 1u : 0u));
    }
    for (i = 0; i < world->joint_count; i++) {
        const dvc_joint *joint = &world->joints[i];
        hash = dvci_hash_word(dvci_hash_real(dvci_hash_real(hash, joint->turn.position), joint->slide.position), joint->warm);
        hash = dvci_hash_vec(dvci_hash_vec(hash, joint->impulse), joint->angular_impulse);
    }
    return hash;
}

DVC_API const char *dvc_status_text(dvc_status status)
{
    switch (status) {
#define DVCI_STATUS_CASE(name, text) case name: return text;
        DVC_STATUS_LIST(DVCI_STATUS_CASE)
#undef DVCI_STATUS_CASE
    default: return "unknown status";
    }
}

/* Scratch of one problem with n rows in an island of b bodies, and of what is solved inside; up to `dense` rows by a matrix. */
static void dvci_problem_carve(int n, int dense, int width, int bodies, dvci_arena *arena)
{
    size_t mark = arena->used, count = (size_t)n;
    dvci_rows rows;
    dvci_task task;
    dvci_mcp mcp;
    dvci_pivots pivots;
    dvci_rows_carve(&rows, n, width, bodies, arena);
    dvci_alloc_ints(arena, 2 * count); /* the product, */
    dvci_alloc_reals(arena, count);
    dvci_alloc_reals(arena, (size_t)bodies * (size_t)width);
    dvci_task_carve(&task, &mcp, n, arena);
    dvci_alloc_reals(arena, 26 * count); /* what sweeps, active set and inner path keep of a row, */
    dvci_alloc_ints(arena, 4 * count);
    dvci_alloc_modes(arena, 2 * count);
    count = (size_t)dense;
    dvci_alloc_reals(arena, dvci_times(count, count)); /* and the matrix, if it is formed */
    dvci_method_carve(DVC_AUTO, dense, arena);
    dvci_alloc_reals(arena, count);
    dvci_pivots_carve(&pivots, dense, dense, arena);
    dvci_alloc_reals(arena, dvci_times(count + 1, count + 1));
    dvci_alloc_ints(arena, count + 1);
    arena->used = mark;
}

/* The largest factor of an island. One of more than DVCI_DIRECT_BODIES has a bounded sum of squares of what its columns hold: they
 * hold no more than if that were shared evenly; twice that, as its order is another one than the wave's. */
static void dvci_factor_carve(const dvc_world *world, size_t rows, dvci_arena *arena)
{
    size_t bodies = (size_t)world->body_count, most = world->direct_bodies > 0 ? (size_t)world->direct_bodies : DVCI_DIRECT_BODIES;
    size_t direct = bodies < most ? bodies : most, slots = dvci_times(direct, direct) / 2, block = world->planar ? 9 : 36;
    if (world->direct_bodies == 0 && bodies > direct) {
        size_t more = (size_t)(2 * dvci_sqrt((dvc_real)(dvci_direct_work(world->planar) * (double)bodies)));
        direct = bodies;
        slots = slots > more ? slots : more;
    }
    dvci_alloc_reals(arena, dvci_times(slots, 2 * block)); /* blocks, and who is whose neighbour */
    dvci_alloc_reals(arena, direct * block);
    dvci_alloc_ints(arena, slots);
    dvci_alloc_ints(arena, 24 * direct + 4 * rows);
}

/* The most faces and edges of a shape, and friction directions of a pair. */
static void dvci_measure_shapes(const dvc_world *world, int *faces, int *edges, int *directions)
{
    int i;
    *faces = *edges = 0;
    *directions = world->planar ? 2 : world->friction_directions ? world->friction_directions : 8;
    for (i = 0; i < world->pair_rule_count; i++) *directions = dvci_imax(*directions, world->pair_rules[i].friction_directions);
    for (i = 0; i < world->shape_count; i++) {
        dvci_part part;
        if (!dvci_shape_present(world, i)) continue;
        dvci_part_counts(&world->shapes[i], world->planar, &part);
        *faces = dvci_imax(*faces, part.face_count);
        *edges = dvci_imax(*edges, part.edge_count);
    }
}

/* Rows of the largest problem there can be. */
static int dvci_measure_rows(const dvc_world *world, int directions)
{
    size_t links = dvci_link_row_limit(world), rows = dvci_times((size_t)world->contact_capacity, 2 + (size_t)directions);
    return links > DVCI_MOST_ROWS || rows > DVCI_MOST_ROWS - links ? DVCI_MOST_ROWS : (int)(rows + links);
}

DVC_API size_t dvc_scratch_size(const dvc_world *world)
{
    dvci_arena arena = dvci_arena_measure();
    dvci_step s;
    size_t links, bodies, contacts, f, e;
    bool sparse;
    int faces, edges, directions, rows;
    if (!dvci_check_layout(world)) return 0;
    bodies = (size_t)world->body_count;
    contacts = (size_t)world->contact_capacity;
    links = (size_t)world->joint_count + (size_t)world->spring_count + bodies;
    dvci_measure_shapes(world, &faces, &edges, &directions);
    f = (size_t)faces;
    e = (size_t)edges;
    dvci_step_carve(&s, world, &arena);
    rows = dvci_measure_rows(world, directions);
    dvci_alloc(&arena, contacts, sizeof(dvc_contact)); /* those that have ended */
    dvci_alloc(&arena, bodies + 2 * (contacts + links), DVCI_HALVINGS * (sizeof(dvci_body) + sizeof(int)));
    dvci_alloc(&arena, 4 * f + e * e, sizeof(dvci_candidate));
    dvci_alloc(&arena, 2 * e, sizeof(dvci_arc));
    dvci_alloc_reals(&arena, 8 * (2 * e + 4) + 2 * f); /* outlines, heights */
    dvci_alloc(&arena, 2 * bodies + 1, sizeof(dvci_matter));
    dvci_alloc(&arena, contacts + dvci_link_row_limit(world), sizeof(dvci_touch));
    dvci_alloc(&arena, 3 * bodies + 3, sizeof(dvci_twist));
    dvci_factor_carve(world, (size_t)rows, &arena);
    sparse = world->contact_model == DVC_PEG && world->solver == DVC_AUTO && !world->solve;
    dvci_problem_carve(rows, sparse ? dvci_imin(rows, DVCI_PIVOT_ROWS) : rows, world->planar ? 3 : 6, world->body_count, &arena);
    return arena.failed ? (size_t)-1 : dvci_arena_bytes(arena.peak) + 1024;
}

#ifdef __cplusplus
}
#endif

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wignored-pragmas"
#pragma float_control(pop)
#pragma clang diagnostic pop
#elif defined(__GNUC__)
#pragma GCC pop_options
#endif

#endif /* DVC_IMPLEMENTATION */

/*
   MIT License

   Copyright (c) 2026 the authors of dvc.h

   Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
   documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
   rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
   persons to whom the Software is furnished to do so, subject to the following conditions:

   The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
   Software.

   THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
   WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
   COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
   OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
*/
