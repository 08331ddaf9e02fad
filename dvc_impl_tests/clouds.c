/* Hulls of as many hard clouds as there is time for: clouds [FIRST [COUNT]]. A number that hangs, crashes or ends wrongly is one
 * that makes its cloud again. What a hull is made of is poison before. */
#define DVC_IMPLEMENTATION
#include "../dvc.h"
#include "clouds.h"

#include <stdio.h>
#include <time.h>

static unsigned char storage[1 << 17];

typedef struct tally {
    long hulls, flat, line, point, open, far, other, wrong;
    cloud_faults worst;
} tally;

static void look(tally *t, uint64_t number, int loud)
{
    hard_cloud c;
    dvc_polytope h;
    cloud_faults f;
    dvc_status status;
    size_t size;
    cloud_make(&c, number);
    size = dvc_polytope_size(c.count);
    if (size > sizeof storage) abort();
    memset(storage, (int)(0x3b + number), size);
    status = dvc_polytope_build(c.points, c.count, storage, size, &h);
    if (loud) printf("kind %d, %d points: %s\n", c.kind, c.count, dvc_status_text(status));
    t->hulls += status == DVC_OK;
    t->flat += status == DVC_ERROR_HULL_FLAT;
    t->line += status == DVC_ERROR_HULL_LINE;
    t->point += status == DVC_ERROR_HULL_POINT;
    t->other += status != DVC_OK && status != DVC_ERROR_HULL_FLAT && status != DVC_ERROR_HULL_LINE && status != DVC_ERROR_HULL_POINT && status != DVC_ERROR_HULL_OPEN;
    if (status == DVC_ERROR_HULL_OPEN && cloud_distance(&c) > 1e6) t->far++;
    else if (status == DVC_ERROR_HULL_OPEN && t->open++ < 20) printf("cloud %llu, kind %d, %d points: not closed\n", (unsigned long long)number, c.kind, c.count);
    if (status != DVC_OK) return;
    f = cloud_judge(&c, &h);
    if (loud) printf("%d vertices, %d faces; outside %g, off %g, inner off %g, crooked %g, loose %d; inner %g of %g\n", h.vertex_count, h.face_count, f.outside, f.off, f.inner, f.crooked, f.loose, (double)h.inner, cloud_size(&c));
    if (f.loose > 0 || !(f.outside <= 1e-8) || !(f.off <= 1e-8) || !(f.inner <= 1e-8) || !(f.crooked <= 2e-3)) {
        if (t->wrong++ < 20) printf("cloud %llu, kind %d, %d points: outside %g, off %g, inner off %g, crooked %g, loose %d\n", (unsigned long long)number, c.kind, c.count, f.outside, f.off, f.inner, f.crooked, f.loose);
    }
    t->worst.outside = cloud_larger(t->worst.outside, f.outside);
    t->worst.off = cloud_larger(t->worst.off, f.off);
    t->worst.inner = cloud_larger(t->worst.inner, f.inner);
    t->worst.crooked = cloud_larger(t->worst.crooked, f.crooked);
}

static void report(const tally *t, uint64_t last)
{
    printf("to %llu, %.0f s: %ld hulls, %ld flat, %ld lines, %ld points, %ld not closed, %ld too far, %ld other; %ld wrong; worst: outside %.2g, off %.2g, inner %.2g, crooked %.2g\n",
           (unsigned long long)last, (double)clock() / CLOCKS_PER_SEC, t->hulls, t->flat, t->line, t->point, t->open, t->far, t->other, t->wrong,
           t->worst.outside, t->worst.off, t->worst.inner, t->worst.crooked);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 0, count = argc > 2 ? strtoull(argv[2], NULL, 10) : argc > 1 ? 1 : 1000000, i;
    tally t;
    memset(&t, 0, sizeof t);
    for (i = 0; i < count; i++) {
        look(&t, first + i, count == 1);
        if (i % 5000000 == 4999999) report(&t, first + i);
    }
    report(&t, first + count - 1);
    return t.wrong > 0 || t.open > 0 || t.other > 0;
}
