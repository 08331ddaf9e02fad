/* Pictures of measurements: panels of lines and quartile bars beside each other, in one SVG file.
 *
 *     plot p = plot_open(file, 2);
 *     plot_panel(&p, "overlap", (plot_axis){ "h, s", 1e-3, 2e-2, true }, (plot_axis){ "m", 1e-12, 1, true });
 *     plot_line(&p, PLOT_BLUE, x, y, count);
 *     plot_quartiles(&p, PLOT_RED, h, quartiles);
 *     plot_legend(&p, PLOT_BLUE, "PEG");
 *     plot_close(&p);
 *
 * What lies below a logarithmic axis, such as a zero, is drawn at its end; lines are clipped. Needs stdio and math. */
#ifndef PLOT_H
#define PLOT_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#if defined(__GNUC__) /* no program draws everything */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#endif

#define PLOT_BLUE "#1f6fb4"
#define PLOT_RED "#c8443a"
#define PLOT_GREEN "#2b8a4b"
#define PLOT_ORANGE "#d98a1f"
#define PLOT_GREY "#888888"
#define PLOT_BLACK "#222222"

enum { PLOT_WIDTH = 420, PLOT_HEIGHT = 340, PLOT_LEFT = 64, PLOT_RIGHT = 14, PLOT_TOP = 34, PLOT_BOTTOM = 46 };

typedef struct plot_axis {
    const char *label;
    double low, high;
    bool logarithmic;
} plot_axis;

typedef struct plot {
    FILE *file;
    int panel;   /* the one that is drawn, from 0 */
    int legends; /* in it */
    plot_axis x, y;
} plot;

/* ---- places in the picture ---- */

static double plot_share(const plot_axis *axis, double value)
{
    if (axis->logarithmic) return log(fmin(fmax(value, axis->low), axis->high) / axis->low) / log(axis->high / axis->low);
    return (value - axis->low) / (axis->high - axis->low);
}

static double plot_x(const plot *p, double value)
{
    return p->panel * PLOT_WIDTH + PLOT_LEFT + plot_share(&p->x, value) * (PLOT_WIDTH - PLOT_LEFT - PLOT_RIGHT);
}

static double plot_y(const plot *p, double value)
{
    return PLOT_HEIGHT - PLOT_BOTTOM - plot_share(&p->y, value) * (PLOT_HEIGHT - PLOT_TOP - PLOT_BOTTOM);
}

/* ---- axes ---- */

/* Distance of ticks: 1, 2 or 5 times a power of ten, for about six of them; on a logarithmic axis a factor. */
static double plot_tick(const plot_axis *axis)
{
    double rough, power;
    if (axis->logarithmic) return pow(10, fmax(1, ceil(log10(axis->high / axis->low) / 8)));
    rough = (axis->high - axis->low) / 6;
    power = pow(10, floor(log10(rough)));
    return power * (rough < 1.5 * power ? 1 : rough < 3.5 * power ? 2 : rough < 7.5 * power ? 5 : 10);
}

static void plot_text(const plot *p, double x, double y, const char *anchor, const char *text)
{
    fprintf(p->file, "<text x='%.1f' y='%.1f' text-anchor='%s'>%s</text>\n", x, y, anchor, text);
}

static void plot_segment(const plot *p, const char *colour, double width, double x1, double y1, double x2, double y2)
{
    fprintf(p->file, "<path stroke='%s' stroke-width='%g' d='M%.1f %.1fL%.1f %.1f'/>\n", colour, width, x1, y1, x2, y2);
}

static void plot_mark(const plot *p, bool upright, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%g", value);
    if (upright) {
        plot_segment(p, "#ddd", 1, plot_x(p, p->x.low), plot_y(p, value), plot_x(p, p->x.high), plot_y(p, value));
        plot_text(p, plot_x(p, p->x.low) - 6, plot_y(p, value) + 4, "end", text);
    } else {
        plot_segment(p, "#ddd", 1, plot_x(p, value), plot_y(p, p->y.low), plot_x(p, value), plot_y(p, p->y.high));
        plot_text(p, plot_x(p, value), PLOT_HEIGHT - PLOT_BOTTOM + 16, "middle", text);
    }
}

static void plot_marks(const plot *p, bool upright)
{
    const plot_axis *axis = upright ? &p->y : &p->x;
    double tick = plot_tick(axis), value;
    int i;
    if (axis->logarithmic)
        for (value = pow(10, ceil(log10(axis->low) - 1e-9)); value <= axis->high * 1.001; value *= tick)
            plot_mark(p, upright, value);
    else
        for (i = (int)ceil(axis->low / tick - 1e-9); i * tick <= axis->high + 1e-9 * tick; i++) plot_mark(p, upright, i * tick);
}

/* ---- the words ---- */

static plot plot_open(FILE *file, int panels)
{
    plot p = { NULL, -1, 0, { NULL, 0, 0, false }, { NULL, 0, 0, false } };
    p.file = file;
    fprintf(file, "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' width='%d' height='%d' font-family='sans-serif' "
            "font-size='12' fill='#222'>\n<rect width='100%%' height='100%%' fill='#fff'/>\n",
            panels * PLOT_WIDTH, PLOT_HEIGHT, panels * PLOT_WIDTH, PLOT_HEIGHT);
    return p;
}

static void plot_panel(plot *p, const char *title, plot_axis x, plot_axis y)
{
    double left, middle = PLOT_TOP + (PLOT_HEIGHT - PLOT_TOP - PLOT_BOTTOM) / 2.0;
    p->panel++;
    p->legends = 0;
    p->x = x;
    p->y = y;
    left = p->panel * PLOT_WIDTH;
    plot_marks(p, false);
    plot_marks(p, true);
    fprintf(p->file, "<clipPath id='panel%d'><rect x='%.1f' y='%d' width='%d' height='%d'/></clipPath>\n", p->panel,
            left + PLOT_LEFT, PLOT_TOP, PLOT_WIDTH - PLOT_LEFT - PLOT_RIGHT, PLOT_HEIGHT - PLOT_TOP - PLOT_BOTTOM);
    fprintf(p->file, "<g font-weight='bold'>");
    plot_text(p, left + PLOT_LEFT, PLOT_TOP - 12, "start", title);
    fprintf(p->file, "</g>");
    plot_text(p, left + (PLOT_LEFT + PLOT_WIDTH - PLOT_RIGHT) / 2.0, PLOT_HEIGHT - 10, "middle", x.label);
    fprintf(p->file, "<g transform='rotate(-90 %.1f %.1f)'>", left + 14, middle);
    plot_text(p, left + 14, middle, "middle", y.label);
    fprintf(p->file, "</g>");
}

static void plot_line(const plot *p, const char *colour, const double *x, const double *y, int count)
{
    int i;
    fprintf(p->file, "<path clip-path='url(#panel%d)' fill='none' stroke='%s' stroke-width='1.5' d='", p->panel, colour);
    for (i = 0; i < count; i++) fprintf(p->file, "%c%.1f %.1f", i ? 'L' : 'M', plot_x(p, x[i]), plot_y(p, y[i]));
    fprintf(p->file, "'/>\n");
}

/* A bar from the first to the third quartile, a line from least to largest, and a mark at the median. */
static void plot_quartiles(const plot *p, const char *colour, double x, const double quartiles[5])
{
    double at = plot_x(p, x), high = plot_y(p, quartiles[3]), low = plot_y(p, quartiles[1]), median = plot_y(p, quartiles[2]);
    double height = fmax(low - high, 1);
    plot_segment(p, colour, 1, at, plot_y(p, quartiles[0]), at, plot_y(p, quartiles[4]));
    fprintf(p->file, "<rect x='%.1f' y='%.1f' width='10' height='%.1f' fill='%s' fill-opacity='.45'/>\n", at - 5, high,
            height, colour);
    plot_segment(p, colour, 2.5, at - 7, median, at + 7, median);
}

static void plot_legend(plot *p, const char *colour, const char *text)
{
    double x = p->panel * PLOT_WIDTH + PLOT_LEFT + 10, y = PLOT_TOP + 14 + 16 * p->legends++;
    fprintf(p->file, "<rect x='%.1f' y='%.1f' width='%d' height='16' fill='#fff' fill-opacity='.8'/>\n", x - 4, y - 12,
            34 + 7 * (int)strlen(text));
    plot_segment(p, colour, 3, x, y - 4, x + 18, y - 4);
    plot_text(p, x + 24, y, "start", text);
}

static void plot_close(plot *p)
{
    fprintf(p->file, "</svg>\n");
    fclose(p->file);
}

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#endif
