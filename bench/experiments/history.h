/* Up to three numbers over time, kept while an experiment runs and drawn as one panel of its picture. Include after plot.h. */
#ifndef HISTORY_H
#define HISTORY_H

enum { HISTORY_POINTS = 4000 };

typedef struct history { int count; double t[HISTORY_POINTS], value[3][HISTORY_POINTS]; } history;

/* Ignored once it is full, or where nothing is to be kept. */
static void history_note(history *past, double t, double a, double b, double c)
{
    if (!past || past->count >= HISTORY_POINTS) return;
    past->t[past->count] = t;
    past->value[0][past->count] = a;
    past->value[1][past->count] = b;
    past->value[2][past->count++] = c;
}

/* Those of the three that have a name, from 0 to `seconds`. */
static void history_draw(plot *drawing, const char *title, double seconds, plot_axis value, const char *const names[3],
                         const history *past)
{
    static const char *const colours[3] = { PLOT_BLUE, PLOT_RED, PLOT_GREEN };
    plot_axis time = { "t, s", 0, 0, false };
    int k;
    time.high = seconds;
    plot_panel(drawing, title, time, value);
    for (k = 0; k < 3 && names[k]; k++) plot_line(drawing, colours[k], past->t, past->value[k], past->count);
    for (k = 0; k < 3 && names[k]; k++) plot_legend(drawing, colours[k], names[k]);
}

#endif
