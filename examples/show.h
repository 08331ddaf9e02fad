/* show.h - pictures of planar worlds for the examples: one HTML page with a player, or a strip of frames as SVG.

   show_page *page = show_open("stack.html", "Ten boxes");
   show_panel(page, "PEG", &world, -2, 0, 2, 12);      a panel with this view: left, bottom, right, top
   show_frame(page, &world, time);                     as often as you like
   show_close(page);

   Needs stdio and dvc.h; the page needs nothing, not even a network. */
#ifndef SHOW_H
#define SHOW_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct show_page {
    FILE *file;
    int panels, frames;
} show_page;

/* Corners of a planar shape in its body's frame; a disc becomes a 24-gon. Returns how many. */
static int show_corners(const dvc_shape *s, double x[64], double y[64])
{
    double c = 1 - 2 * (double)s->orientation.z * (double)s->orientation.z, n = 2 * (double)s->orientation.w * (double)s->orientation.z;
    int count = s->kind == DVC_BOX ? 4 : s->kind == DVC_SPHERE ? 24 : s->kind == DVC_POLYGON ? (s->point_count < 64 ? s->point_count : 64) : 0, i;
    for (i = 0; i < count; i++) {
        double px = 0, py = 0;
        if (s->kind == DVC_BOX) { px = (i == 1 || i == 2) ? (double)s->half.x : -(double)s->half.x; py = i > 1 ? (double)s->half.y : -(double)s->half.y; }
        if (s->kind == DVC_POLYGON) { px = (double)s->points[i].x; py = (double)s->points[i].y; }
        if (s->kind == DVC_SPHERE) { px = (double)s->radius * cos(i * 0.26179938779914943); py = (double)s->radius * sin(i * 0.26179938779914943); }
        if (s->orientation.w == 0 && s->orientation.z == 0) n = 0;
        x[i] = c * px - n * py + (double)s->position.x;
        y[i] = n * px + c * py + (double)s->position.y;
    }
    return count;
}

static show_page *show_open(const char *path, const char *title)
{
    show_page *page = (show_page *)calloc(1, sizeof *page);
    if (!page) return NULL;
    page->file = fopen(path, "w");
    if (!page->file) { free(page); return NULL; }
    fprintf(page->file,
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content=\"width=device-width\"><title>%s</title>\n"
        "<style>body{font:15px/1.4 system-ui,sans-serif;margin:1rem auto;max-width:70rem;padding:0 1rem;background:#fbfaf8;color:#222}\n"
        "@media(prefers-color-scheme:dark){body{background:#181a1c;color:#ddd}}\n"
        "#all{display:flex;flex-wrap:wrap;gap:1rem}figure{margin:0;flex:1 1 14rem}canvas{width:100%%;border:1px solid #8884;border-radius:4px}\n"
        "figcaption{font-weight:600}input{width:100%%}</style>\n"
        "<h1>%s</h1><p><button id=play>pause</button> <span id=clock></span></p><input id=slide type=range min=0 value=0>\n"
        "<div id=all></div>\n<script>\nconst P=[];let p;\n", title, title);
    return page;
}

/* Begins a panel; the frames that follow are its own. */
static void show_panel(show_page *page, const char *title, const dvc_world *world, double left, double bottom, double right, double top)
{
    double x[64], y[64];
    int i, k;
    if (!page) return;
    page->panels++;
    fprintf(page->file, "P.push(p={t:'%s',v:[%g,%g,%g,%g],s:[", title, left, bottom, right, top);
    for (i = 0; i < world->shape_count; i++) {
        const dvc_shape *s = &world->shapes[i];
        int count = show_corners(s, x, y);
        if (s->disabled || count == 0) continue;
        fprintf(page->file, "{b:%d,d:%d,p:[", s->body, world->bodies[s->body].kind == DVC_DYNAMIC);
        for (k = 0; k < count; k++) fprintf(page->file, "%.4g,%.4g,", x[k], y[k]);
        fprintf(page->file, "]},");
    }
    fprintf(page->file, "],f:[],c:[]});\n");
}

static void show_frame(show_page *page, const dvc_world *world)
{
    int i;
    if (!page) return;
    page->frames++;
    fprintf(page->file, "p.f.push([%.4g", world->time);
    for (i = 0; i < world->body_count; i++) {
        const dvc_body *b = &world->bodies[i];
        fprintf(page->file, ",%.5g,%.5g,%.5g", (double)b->position.x, (double)b->position.y, 2 * atan2((double)b->orientation.z, b->orientation.w == 0 && b->orientation.z == 0 ? 1 : (double)b->orientation.w));
    }
    fprintf(page->file, "]);p.c.push([");
    for (i = 0; i < world->contact_count; i++) {
        const dvc_contact *c = &world->contacts[i];
        if (c->normal_impulse > 0) fprintf(page->file, "%.4g,%.4g,", (double)c->point.x, (double)c->point.y);
    }
    fprintf(page->file, "]);\n");
}

static void show_close(show_page *page)
{
    if (!page) return;
    fputs(
        "const all=document.getElementById('all'),slide=document.getElementById('slide'),clock=document.getElementById('clock'),play=document.getElementById('play');\n"
        "for(const q of P){const f=document.createElement('figure');q.k=document.createElement('canvas');q.k.width=600;\n"
        "q.k.height=600*(q.v[3]-q.v[1])/(q.v[2]-q.v[0]);const t=document.createElement('figcaption');t.textContent=q.t;f.append(t,q.k);all.append(f);}\n"
        "const n=Math.max(...P.map(q=>q.f.length));slide.max=n-1;let at=0,run=true,last=0;\n"
        "function draw(){const dark=matchMedia('(prefers-color-scheme:dark)').matches;for(const q of P){const g=q.k.getContext('2d'),f=q.f[Math.min(at,q.f.length-1)],s=600/(q.v[2]-q.v[0]);\n"
        "g.setTransform(1,0,0,1,0,0);g.clearRect(0,0,q.k.width,q.k.height);g.setTransform(s,0,0,-s,-q.v[0]*s,q.v[3]*s);g.lineWidth=1.5/s;\n"
        "for(const h of q.s){const x=f[1+3*h.b],y=f[2+3*h.b],a=f[3+3*h.b],c=Math.cos(a),d=Math.sin(a);g.beginPath();\n"
        "for(let i=0;i<h.p.length;i+=2)g.lineTo(x+c*h.p[i]-d*h.p[i+1],y+d*h.p[i]+c*h.p[i+1]);g.closePath();\n"
        "g.fillStyle=h.d?'#4a90d9':(dark?'#444':'#bbb');g.strokeStyle=dark?'#000':'#fff';g.fill();g.stroke();}\n"
        "g.fillStyle='#d33';const c=q.c[Math.min(at,q.f.length-1)];for(let i=0;i<c.length;i+=2)g.fillRect(c[i]-2.5/s,c[i+1]-2.5/s,5/s,5/s);}\n"
        "clock.textContent='t = '+P[0].f[Math.min(at,P[0].f.length-1)][0].toFixed(2)+' s';slide.value=at;}\n"
        "play.onclick=()=>{run=!run;play.textContent=run?'pause':'play'};slide.oninput=()=>{at=+slide.value;run=false;play.textContent='play';draw()};\n"
        "function tick(t){if(run&&t-last>30){last=t;at=(at+1)%n;draw()}requestAnimationFrame(tick)}draw();requestAnimationFrame(tick);\n"
        "</script></html>\n", page->file);
    fclose(page->file);
    free(page);
}

/* One frame of a world as a group of an SVG picture: `left`, `bottom` of the world at (x, y) of the picture, upward. */
static void show_svg(FILE *svg, const dvc_world *world, double scale, double at_x, double at_y)
{
    double x[64], y[64];
    int i, k;
    for (i = 0; i < world->shape_count; i++) {
        const dvc_shape *s = &world->shapes[i];
        const dvc_body *b = &world->bodies[s->body];
        double c = 1 - 2 * (double)b->orientation.z * (double)b->orientation.z, n = 2 * (double)b->orientation.w * (double)b->orientation.z;
        int count = show_corners(s, x, y);
        if (s->disabled || count == 0) continue;
        fprintf(svg, "<path fill='%s' stroke='#fff' d='", b->kind == DVC_DYNAMIC ? "#4a90d9" : "#999");
        for (k = 0; k < count; k++)
            fprintf(svg, "%c%.1f %.1f", k ? 'L' : 'M', at_x + scale * ((double)b->position.x + c * x[k] - n * y[k]), at_y - scale * ((double)b->position.y + n * x[k] + c * y[k]));
        fprintf(svg, "Z'/>\n");
    }
}

#endif
