/* The LCP solvers of other libraries behind three C functions each, for lcp_suite.c compiled with -DWITH_PEERS:
 *
 *     load    takes over the problem w = A z + b (A by rows); not timed
 *     solve   solves what was loaded from z = 0; timed
 *     unload  frees
 *
 * Siconos: lexicographic Lemke and Newton on the Fischer-Burmeister function. ODE: its Dantzig solver, which is exported
 * from the library but declared in no public header; as its world does by default, 1e-10 is added to the diagonal, for
 * without it semidefinite problems end in an error. Packages of Debian: libsiconos-numerics-dev, libode-dev. */
#include <cstdarg>
#include <cstddef>
#include <cstring>
#include <limits>
#include <vector>

#include <ode/error.h>
extern "C" {
#include <siconos/numerics/LCP_Solvers.h>
#include <siconos/numerics/LinearComplementarityProblem.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/SolverOptions.h>
#include <siconos/numerics/lcp_cst.h>
}

/* ---- ODE ---- */

struct dxWorldProcessMemArena;
struct dxWorldProcessMemoryManager;
struct dxWorldProcessMemoryReserveInfo;
dxWorldProcessMemArena *dxAllocateTemporaryWorldProcessMemArena(std::size_t size, const dxWorldProcessMemoryManager *manager,
                                                                const dxWorldProcessMemoryReserveInfo *reserve);
void dxFreeTemporaryWorldProcessMemArena(dxWorldProcessMemArena *arena);
std::size_t dxEstimateSolveLCPMemoryReq(unsigned n, bool outer_w);
void dxSolveLCP(dxWorldProcessMemArena *arena, unsigned n, double *A, double *pairs_bx, double *outer_w, unsigned unbounded,
                double *pairs_lohi, int *findex);

namespace {

struct OdeProblem {
    unsigned n = 0, stride = 0;
    std::vector<double> A, b, work; /* work: a copy of A, which the solver destroys */
    std::vector<double> bx, bounds; /* interleaved pairs */
    dxWorldProcessMemArena *arena = nullptr;
} ode;

void ignore_message(int, const char *, std::va_list) {}

/* The arena begins with two pointers: where the next allocation goes, and where the first went. */
void rewind_arena(dxWorldProcessMemArena *arena)
{
    void **words = reinterpret_cast<void **>(arena);
    words[0] = words[1];
}

}

/* Before each solve, not timed: ODE works in place. */
static void ode_restore()
{
    ode.work = ode.A;
    for (unsigned i = 0; i < ode.n; i++) {
        ode.bx[2 * i] = -ode.b[i]; /* it solves A x = b + w */
        ode.bx[2 * i + 1] = 0;
        ode.bounds[2 * i] = 0;
        ode.bounds[2 * i + 1] = std::numeric_limits<double>::infinity();
    }
    rewind_arena(ode.arena);
}

extern "C" void lcp_ode_load(int n, const double *A, const double *b)
{
    dSetMessageHandler(ignore_message); /* it complains of semidefinite matrices, and goes on */
    ode.n = static_cast<unsigned>(n);
    ode.stride = n > 1 ? (ode.n + 3) & ~3u : ode.n; /* rows are padded to multiples of four */
    ode.A.assign(static_cast<std::size_t>(ode.n) * ode.stride, 0);
    for (unsigned i = 0; i < ode.n; i++) {
        std::memcpy(&ode.A[i * ode.stride], A + i * ode.n, ode.n * sizeof(double));
        ode.A[i * ode.stride + i] += 1e-10;
    }
    ode.b.assign(b, b + n);
    ode.bx.resize(2 * ode.n);
    ode.bounds.resize(2 * ode.n);
    ode.arena = dxAllocateTemporaryWorldProcessMemArena(dxEstimateSolveLCPMemoryReq(ode.n, false) + 4096, nullptr, nullptr);
    ode_restore();
}

extern "C" void lcp_ode_solve(double *z)
{
    dxSolveLCP(ode.arena, ode.n, ode.work.data(), ode.bx.data(), nullptr, 0, ode.bounds.data(), nullptr);
    for (unsigned i = 0; i < ode.n; i++) z[i] = ode.bx[2 * i + 1];
}

extern "C" void lcp_ode_again() { ode_restore(); }

extern "C" void lcp_ode_unload()
{
    dxFreeTemporaryWorldProcessMemArena(ode.arena);
    ode.arena = nullptr;
}

/* ---- Siconos ---- */

namespace {

struct SiconosProblem {
    LinearComplementarityProblem problem;
    std::vector<double> b, w;
    SolverOptions *lemke = nullptr, *newton = nullptr;
} siconos;

}

extern "C" void lcp_siconos_load(int n, const double *A, const double *b)
{
    siconos.b.assign(b, b + n);
    siconos.w.assign(static_cast<std::size_t>(n), 0);
    siconos.problem.size = n;
    siconos.problem.M = NM_create(NM_DENSE, n, n);
    siconos.problem.q = siconos.b.data();
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) siconos.problem.M->matrix0[i + j * n] = A[i * n + j]; /* by columns */
    siconos.lemke = solver_options_create(SICONOS_LCP_LEMKE);
    siconos.newton = solver_options_create(SICONOS_LCP_NEWTON_FB_FBLSA);
    siconos.newton->dparam[SICONOS_DPARAM_TOL] = 1e-10;
}

extern "C" void lcp_siconos_lemke(double *z)
{
    int info = 0;
    std::memset(z, 0, siconos.b.size() * sizeof *z);
    lcp_lexicolemke(&siconos.problem, z, siconos.w.data(), &info, siconos.lemke);
}

extern "C" void lcp_siconos_newton(double *z)
{
    int info = 0;
    std::memset(z, 0, siconos.b.size() * sizeof *z);
    lcp_newton_FB(&siconos.problem, z, siconos.w.data(), &info, siconos.newton);
}

extern "C" void lcp_siconos_unload()
{
    solver_options_delete(siconos.lemke);
    solver_options_delete(siconos.newton);
    NM_free(siconos.problem.M);
    siconos.problem.M = nullptr;
}
