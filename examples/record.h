/* record.h - recordings and replay pages for programs that have files and a heap. Needs dvc.h (included before) and replay.html
   beside it.

       static record_run run;
       ... record_step(&run, &world, h) ...    instead of dvc_step(&world, h), with the same result
       record_page("drop.html", &run, 1);      a page that plays it: open it in a browser; several runs are compared
       record_file("drop.rec", &run);          or the bytes alone (>>record in dvc.h): drop them on any replay page

   The last two return false, after a line on stderr, if something could not be done. For pictures see stills.h.

   replay.html is looked for where RECORD_PAGE says (a path as a string), then beside this file as the compiler was given it,
   then in the current folder. It is read when the page is written: nothing has to be generated, and a changed page is used at
   once. */
#ifndef DVC_RECORD_H
#define DVC_RECORD_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GNUC__)
#define RECORD_WORD __attribute__((unused)) static /* no program uses all of these */
#else
#define RECORD_WORD static
#endif

/* ---- recording ---- */

/* Zero is enough. record_free gives its memory back. */
typedef struct record_run {
    const char *name;      /* in legends and captions; none: the recorder's title */
    int every;             /* a frame each so many steps; 0: each. Failed steps always get one */
    dvc_recorder recorder; /* title, names of bodies, your own numbers: see dvc.h; its buffer is kept here */
    int steps;
    bool ended;
} record_run;

static bool record_complain(const char *what, const char *about)
{
    fprintf(stderr, "record.h: %s: %s\n", about, what);
    return false;
}

#define RECORD_UNSTARTED "call record_start before the first step, or record_step instead of dvc_step"

static const char *record_name(const record_run *run)
{
    return run->name ? run->name : run->recorder.title ? run->recorder.title : "";
}

/* More memory, if that is what was missing: then the call that failed is to be made again. */
static bool record_more(record_run *run)
{
    dvc_recorder *r = &run->recorder;
    unsigned char *bytes;
    if (r->status != DVC_ERROR_RECORD_ROOM) return false;
    bytes = (unsigned char *)realloc(r->buffer, 2 * r->needed);
    if (!bytes) return false;
    r->buffer = bytes;
    r->size = 2 * r->needed;
    r->status = DVC_OK;
    return true;
}

/* Begins with the world as it is; record_step does so by itself. */
RECORD_WORD void record_start(record_run *run, const dvc_world *world, dvc_real h)
{
    run->recorder.buffer = (unsigned char *)malloc(4096);
    run->recorder.size = run->recorder.buffer ? 4096 : 0;
    do dvc_record_begin(&run->recorder, world, h);
    while (record_more(run));
}

/* After a step of your own, with what dvc_step said; for numbers that are known only then. */
RECORD_WORD void record_frame(record_run *run, const dvc_world *world, dvc_real h, dvc_status result)
{
    if (!run->recorder.buffer) {
        if (run->steps++ == 0) record_complain(RECORD_UNSTARTED, record_name(run));
        return;
    }
    if (++run->steps % (run->every > 0 ? run->every : 1) && result == DVC_OK) return;
    do dvc_record_step(&run->recorder, world, h, result);
    while (record_more(run));
}

/* Steps and records; returns what dvc_step says. Trouble with the recording is told when it is used. */
RECORD_WORD dvc_status record_step(record_run *run, dvc_world *world, dvc_real h)
{
    dvc_status status;
    if (!run->recorder.buffer) record_start(run, world, h);
    status = dvc_step(world, h);
    record_frame(run, world, h, status);
    return status;
}

RECORD_WORD void record_free(record_run *run)
{
    free(run->recorder.buffer);
    memset(run, 0, sizeof *run);
}

/* The bytes are whole from here on. */
static bool record_end(record_run *run)
{
    if (!run->recorder.buffer) return record_complain("nothing was recorded: " RECORD_UNSTARTED, record_name(run));
    if (run->recorder.status != DVC_OK) return record_complain(dvc_status_text(run->recorder.status), record_name(run));
    if (!run->ended) {
        do dvc_record_end(&run->recorder);
        while (record_more(run));
    }
    run->ended = true;
    return run->recorder.status == DVC_OK || record_complain(dvc_status_text(run->recorder.status), record_name(run));
}

/* ---- files and pages ---- */

static FILE *record_create(const char *path)
{
    FILE *file = fopen(path, "wb");
    if (!file) record_complain("cannot be written", path);
    return file;
}

/* Closes it; what could not be written shows here at the latest. */
static bool record_close(FILE *file, const char *path)
{
    bool ok = !ferror(file);
    if (fclose(file) != 0) ok = false;
    return ok || record_complain("could not be written to its end", path);
}

RECORD_WORD bool record_file(const char *path, record_run *run)
{
    FILE *file;
    if (!record_end(run)) return false;
    file = record_create(path);
    if (!file) return false;
    fwrite(run->recorder.buffer, 1, run->recorder.used, file);
    return record_close(file, path);
}

static FILE *record_open_template(void)
{
    char path[1024] = __FILE__;
    char *slash = strrchr(path, '/'), *backslash = strrchr(path, '\\');
    FILE *file = NULL;
#ifdef RECORD_PAGE
    file = fopen(RECORD_PAGE, "rb");
#endif
    if (backslash > slash) slash = backslash;
    if (slash && (size_t)(slash - path) < sizeof path - 16) strcpy(slash + 1, "replay.html");
    if (!file && slash) file = fopen(path, "rb");
    if (!file) file = fopen("replay.html", "rb");
    return file;
}

/* The whole file as a text, to be freed; none if it cannot be read. */
static char *record_read_text(FILE *file)
{
    size_t size = 1 << 16, used = 0, got = 1;
    char *text = (char *)malloc(size + 1);
    while (text && got > 0) {
        got = fread(text + used, 1, size - used, file);
        used += got;
        if (used == size) {
            char *more = (char *)realloc(text, 2 * size + 1);
            if (!more) free(text);
            text = more;
            size *= 2;
        }
    }
    if (text) text[used] = 0;
    return text;
}

/* As a JSON string that may stand in a script element. */
static void record_put_quoted(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c < 0x20 || c == '"' || c == '\\' || c == '<') fprintf(file, "\\u%04x", c);
        else fputc(c, file);
    }
    fputc('"', file);
}

static void record_put_base64(FILE *file, const unsigned char *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t i;
    for (i = 0; i < size; i += 3) {
        unsigned second = i + 1 < size ? bytes[i + 1] : 0, third = i + 2 < size ? bytes[i + 2] : 0;
        unsigned word = bytes[i] * 65536u + second * 256u + third;
        char four[4];
        four[0] = digits[word >> 18];
        four[1] = digits[word >> 12 & 63];
        four[2] = i + 1 < size ? digits[word >> 6 & 63] : '=';
        four[3] = i + 2 < size ? digits[word & 63] : '=';
        fwrite(four, 1, 4, file);
    }
}

static void record_put_run(FILE *file, const record_run *run)
{
    fputs("{\"name\": ", file);
    record_put_quoted(file, record_name(run));
    fputs(", \"data\": \"", file);
    record_put_base64(file, run->recorder.buffer, run->recorder.used);
    fputs("\"}", file);
}

/* The template with the runs where it has its mark. */
static bool record_fill_page(FILE *file, const char *page, const record_run *runs, int count)
{
    static const char mark[] = "/*RECORDINGS*/";
    const char *at = strstr(page, mark);
    int i;
    if (!at) return record_complain("has no place for recordings", "replay.html");
    fwrite(page, 1, (size_t)(at - page), file);
    for (i = 0; i < count; i++) {
        if (i > 0) fputs(",\n", file);
        record_put_run(file, &runs[i]);
    }
    fputs(at + sizeof mark - 1, file);
    return true;
}

/* A page that plays the runs, side by side if there are several. It needs nothing else. */
RECORD_WORD bool record_page(const char *path, record_run *runs, int count)
{
    FILE *template_file, *file;
    char *page;
    bool ok;
    int i;
    for (i = 0; i < count; i++)
        if (!record_end(&runs[i])) return false;
    template_file = record_open_template();
    if (!template_file) return record_complain("not found beside record.h, nor here: set RECORD_PAGE to its path", "replay.html");
    page = record_read_text(template_file);
    fclose(template_file);
    file = page ? record_create(path) : NULL;
    ok = file && record_fill_page(file, page, runs, count);
    if (file) ok = record_close(file, path) && ok;
    free(page);
    return ok;
}

#endif
