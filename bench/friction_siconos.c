/* Siconos' part of friction_suite.c: the same problems by its Gauss-Seidel (0) and its local semismooth Newton (1), with the options
 * that it comes with but for tolerance and iterations. */
#include <stdlib.h>
#include <string.h>
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
#include <fc3d_Solvers.h>

void siconos_solve(int method, int contacts, int entries, const int *row_start, const int *column, const double *blocks, const double *q,
                   const double *mu, double *r);

/* One block after the other: theirs are stored by columns. */
static NumericsMatrix *matrix_of(int contacts, int entries, const int *row_start, const int *column, const double *blocks)
{
    NumericsMatrix *m = NM_create(NM_SPARSE_BLOCK, 3 * contacts, 3 * contacts);
    SparseBlockStructuredMatrix *b = m->matrix1;
    int i, e, k, c;
    b->nbblocks = (unsigned)entries;
    b->blocknumber0 = b->blocknumber1 = (unsigned)contacts;
    b->block = (double **)malloc((size_t)entries * sizeof *b->block);
    b->blocksize0 = (unsigned *)malloc((size_t)contacts * sizeof(unsigned));
    b->blocksize1 = (unsigned *)malloc((size_t)contacts * sizeof(unsigned));
    b->filled1 = (size_t)contacts + 1;
    b->filled2 = (size_t)entries;
    b->index1_data = (size_t *)malloc(((size_t)contacts + 1) * sizeof(size_t));
    b->index2_data = (size_t *)malloc((size_t)entries * sizeof(size_t));
    for (i = 0; i < contacts; i++) b->blocksize0[i] = b->blocksize1[i] = 3u * (unsigned)(i + 1);
    for (i = 0; i <= contacts; i++) b->index1_data[i] = (size_t)row_start[i];
    for (e = 0; e < entries; e++) {
        b->index2_data[e] = (size_t)column[e];
        b->block[e] = (double *)malloc(9 * sizeof(double));
        for (k = 0; k < 3; k++)
            for (c = 0; c < 3; c++) b->block[e][3 * c + k] = blocks[9 * e + 3 * k + c];
    }
    return m;
}

void siconos_solve(int method, int contacts, int entries, const int *row_start, const int *column, const double *blocks, const double *q,
                   const double *mu, double *r)
{
    SolverOptions *options = solver_options_create(method ? SICONOS_FRICTION_3D_NSN_AC : SICONOS_FRICTION_3D_NSGS);
    double *b = (double *)malloc(3 * (size_t)contacts * sizeof *b), *f = (double *)malloc((size_t)contacts * sizeof *f);
    double *u = (double *)calloc(3 * (size_t)contacts, sizeof *u);
    FrictionContactProblem *p;
    memcpy(b, q, 3 * (size_t)contacts * sizeof *b);
    memcpy(f, mu, (size_t)contacts * sizeof *f);
    p = frictionContactProblem_new_with_data(3, contacts, matrix_of(contacts, entries, row_start, column, blocks), b, f);
    options->dparam[SICONOS_DPARAM_TOL] = 1e-10; /* theirs is by the norm of q */
    options->iparam[SICONOS_IPARAM_MAX_ITER] = method ? 200 : 20000;
    fc3d_driver(p, r, u, options);
    free(u);
    frictionContactProblem_free(p);
    solver_options_delete(options);
}
