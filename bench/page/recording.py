"""Recordings of dvc.h in Python: written from closed forms, to test the replay page, and read, as a second opinion on it.

    python3 recording.py page NAME OUT.html TEMPLATE.html    a page with one of the scenes below
    python3 recording.py dump FILE.html                      what a page's recordings say, as JSON
"""
import base64
import json
import math
import struct
import sys
import zlib

GRAVITY = 9.81
BODY_REALS = 19
HEAD_COUNTS = ["iterations", "inexact", "fallbacks", "islands", "contacts", "enforced", "disjunctions", "problems",
               "largest_problem", "flips", "cuts", "corrections", "halvings", "repeats", "contacts_needed"]
HEAD_REALS = ["energy", "momentum_x", "momentum_y", "momentum_z", "angular_x", "angular_y", "angular_z"]


# ---- writing ----

def text(words):
    raw = words.encode()
    return struct.pack("<I", len(raw)) + raw


def masked(values):
    mask = sum(1 << k for k, x in enumerate(values) if x != 0)
    return struct.pack("<I", mask) + b"".join(struct.pack("<d", x) for x in values if x != 0)


def texts(list_of_words):
    return struct.pack("<I", len(list_of_words)) + b"".join(text(words) for words in list_of_words)


def chunk(tag, payload):
    return tag + struct.pack("<II", len(payload), zlib.adler32(payload)) + payload


def header(h, gravity, flags):
    raw = b"dvc.rec\n" + struct.pack("<IIII4dI", 2, 64, 8, flags, h, *gravity, 100)
    return raw + struct.pack("<I", zlib.adler32(raw))


class Body:
    """A body with one shape; `state(t)` gives its 13 numbers: position, orientation, velocity, angular velocity."""

    def __init__(self, name, state, shape, kind=0, mass=1.0, inertia=(0.1, 0.1, 0.1)):
        self.name, self.state, self.shape, self.kind, self.mass, self.inertia = name, state, shape, kind, mass, inertia

    def scene_bytes(self):
        rest = list(self.state(0)) + [0] * 6 if self.kind == 1 else [0] * BODY_REALS
        return struct.pack("<BB", self.kind, 0) + masked([self.mass, *self.inertia, 0, 0] + rest)

    def shape_bytes(self, index):
        s = self.shape
        reals = [0.5, 0, *s.get("position", (0, 0, 0)), *s.get("turn", (0, 0, 0, 0)), *s.get("normal", (0, 0, 0)),
                 *s.get("half", (0, 0, 0)), s.get("radius", 0), 0, 0, 0]
        return struct.pack("<BBiII", s["kind"], 2 if s.get("sensor") else 0, index, 0, 0) + masked(reals)

    def geometry_bytes(self):
        if self.shape["kind"] == 5:
            points = self.shape["points"]
            return b"\2" + struct.pack("<I", len(points)) + b"".join(struct.pack("<dd", *p) for p in points)
        if self.shape["kind"] != 4:
            return b"\0"
        vertices, faces = self.shape["vertices"], self.shape["faces"]
        edges = sum(len(face) for face in faces) // 2
        raw = b"\1" + struct.pack("<III", len(vertices), len(faces), edges)
        raw += b"".join(struct.pack("<ddd", *v) for v in vertices) + b"".join(struct.pack("<I", len(face)) for face in faces)
        raw += b"".join(struct.pack("<I", v) for face in faces for v in face)
        return raw + bytes(edges * 72 + len(faces) * 32 + (len(vertices) + 1) * 4 + 56)


def contact_bytes(c):
    """c: bodies, group, facet, flags, point, normal, gap, impulse"""
    push = sum(a * b for a, b in zip(c["impulse"], c["normal"]))
    return (struct.pack("<4i2I2iBBI", *c["bodies"], *c["bodies"], 0, 0, c["group"], c["facet"], c["flags"], 2, 0)
            + masked([*c["point"], *c["normal"], c["gap"], *c["impulse"], push]))


class Scene:
    def __init__(self, title, bodies, h, steps, planar=False, scalars=(), joints=(), springs=(), contacts=None, failed=()):
        self.title, self.bodies, self.h, self.steps, self.planar = title, bodies, h, steps, planar
        self.scalars, self.joints, self.springs, self.contacts, self.failed = scalars, joints, springs, contacts, dict(failed)
        self.gravity = (0, -GRAVITY, 0) if planar else (0, 0, -GRAVITY)

    def stage(self):
        raw = struct.pack("<5I", len(self.bodies), len(self.bodies), len(self.joints), len(self.springs), 0)
        raw += struct.pack("<3d", *self.gravity) + struct.pack("<8I", self.planar, 0, 0, 0, 0, 0, 0, 0) + bytes(40)
        raw += b"".join(b.scene_bytes() for b in self.bodies) + b"".join(b.shape_bytes(i) for i, b in enumerate(self.bodies))
        for kind, a, b, anchor_a, anchor_b, frame in self.joints:
            raw += struct.pack("<BBii", kind, 0, a, b) + masked([*anchor_a, *anchor_b, *frame, *frame] + [0] * 6)
        for a, b, anchor_a, anchor_b in self.springs:
            raw += struct.pack("<ii", a, b) + masked([*anchor_a, *anchor_b, 40, 1])
        return raw

    def energy(self, t):
        total = 0
        for b in self.bodies:
            if b.kind == 0:
                s = b.state(t)
                total += 0.5 * b.mass * sum(v * v for v in s[7:10]) + b.mass * GRAVITY * s[1 if self.planar else 2]
        return total

    def momentum(self, t):
        return [sum(b.mass * b.state(t)[7 + k] for b in self.bodies if b.kind == 0) for k in range(3)]

    def frame(self, i):
        t, (status, message, inexact) = i * self.h, self.failed.get(i, (0, "", 0))
        contacts = self.contacts(t) if self.contacts else []
        raw = struct.pack("<Ii", i, status) + text(message) + struct.pack("<i", -1)
        raw += struct.pack("<ddQ", t, self.h if i else 0, i) + struct.pack("<3d", 1e-12 * (1 + i % 7), -1e-13 * i, 0)
        counts = [5 + i % 11, inexact, 0, 1, len(contacts), sum(c["flags"] & 1 for c in contacts)] + [0] * 9
        raw += struct.pack("<I15i", 15, *counts) + bytes(16)
        raw += struct.pack("<7d", self.energy(t), *self.momentum(t), 0, 0, 0)
        raw += struct.pack("<I", len(self.scalars)) + b"".join(struct.pack("<d", f(t)) for _, f in self.scalars)
        raw += struct.pack("<I", len(self.bodies))
        for b in self.bodies:
            raw += b"\0" + (b"" if b.kind == 1 else masked([*b.state(t), 0, 0, 0, 0, 0, 0]))
        raw += struct.pack("<I", len(self.joints)) + (b"\0" + bytes(4) + masked([0] * 18 + [1e-9 * i])) * len(self.joints)
        raw += struct.pack("<I", len(self.springs)) + (b"\0" + masked([1, 2])) * len(self.springs)
        return raw + struct.pack("<I", len(contacts)) + b"".join(contact_bytes(c) for c in contacts)

    def chunks(self):
        """Header and chunks one by one, so that tests may spoil them."""
        yield header(self.h, self.gravity, 1 if self.planar else 0)
        names = text(self.title) + texts([b.name for b in self.bodies]) + texts([name for name, _ in self.scalars])
        yield chunk(b"NAME", names)
        yield chunk(b"GEOM", struct.pack("<I", len(self.bodies)) + b"".join(b.geometry_bytes() for b in self.bodies))
        yield chunk(b"SCNE", self.stage())
        yield chunk(b"XTRA", b"a chunk that no reader knows")
        for i in range(self.steps + 1):
            yield chunk(b"FRAM", self.frame(i))
        bad = [v for v in self.failed.values()]
        yield chunk(b"DONE", struct.pack("<3I", self.steps + 1, sum(v[0] != 0 for v in bad), sum(v[2] > 0 for v in bad)))

    def bytes(self):
        return b"".join(self.chunks())


# ---- scenes: all motions are closed forms ----

def fixed(name, shape):
    return Body(name, lambda t: [0, 0, 0, 1, 0, 0, 0] + [0] * 6, shape, kind=1, mass=0, inertia=(0, 0, 0))


def turned(axis, angle):
    return [math.cos(angle / 2)] + [a * math.sin(angle / 2) for a in axis]


def falling(x, y, z, rest, spin, up=2):
    """Falls from height z and stays at `rest`; turns about x (in a plane about z) until it lands."""
    landing, axis = math.sqrt(2 * (z - rest) / GRAVITY), [1, 0, 0] if up == 2 else [0, 0, 1]

    def state(t):
        s, flying = min(t, landing), t < landing
        place, velocity = [x, y, 0], [0.0, 0.0, 0.0]
        place[up] = z - GRAVITY * s * s / 2
        velocity[up] = -GRAVITY * t if flying else 0.0
        return place + turned(axis, spin * (s - landing)) + velocity + [a * spin * flying for a in axis]
    return state


def swinging(length, swing, rate):
    """A rod on a hinge at the origin that swings about y, its middle `length` below."""
    def state(t):
        a, da = swing * math.cos(rate * t), -swing * rate * math.sin(rate * t)
        return ([-length * math.sin(a), 0, -length * math.cos(a)] + turned([0, 1, 0], a)
                + [-length * math.cos(a) * da, 0, length * math.sin(a) * da, 0, da, 0])
    return state


def wedge(a):
    return {"vertices": [(-a, -a, -a), (a, -a, -a), (a, a, -a), (-a, a, -a), (-a, 0, a), (a, 0, a)],
            "faces": [[0, 3, 2, 1], [0, 1, 5, 4], [2, 3, 4, 5], [0, 4, 3], [1, 2, 5]]}


def drop():
    bodies = [fixed("ground", {"kind": 2, "normal": (0, 0, 1)})]
    for i in range(9):
        x, y, rest = 1.3 * (i % 3 - 1), 1.3 * (i // 3 - 1), 0.5
        kind = [{"kind": 3, "half": (0.5, 0.4, 0.5)}, {"kind": 1, "radius": 0.5}, {"kind": 4, **wedge(0.5)}][i % 3]
        bodies.append(Body(f"{['box', 'ball', 'wedge'][i % 3]} {i}", falling(x, y, 1.5 + 0.45 * i, rest, 1.5 + i), kind))

    def contacts(t):
        list_ = []
        for i, b in enumerate(bodies[1:], 1):
            p, v = b.state(t)[:3], b.state(t)[9]
            down = p[2] <= 0.5001 and v == 0
            for facet, normal in enumerate([(0, 0, 1), (0.6, 0, 0.8)]):
                impulse = [GRAVITY * 0.01 * n if down and facet == 0 else 0 for n in normal]
                list_.append({"bodies": (0, i), "group": i, "facet": facet, "flags": 1 if facet == 0 else 0,
                              "point": (p[0], p[1], 0), "normal": normal, "gap": p[2] - 0.5, "impulse": impulse})
        return list_
    height = ("height of box 0", lambda t: bodies[1].state(t)[2])
    return Scene("Nine bodies fall", bodies, 0.01, 200, contacts=contacts, scalars=[height],
                 failed={60: (14, "a reason with <b>marks</b>", 0), 90: (0, "", 3), 150: (0, "", 1)})


def flat(bounce=1.0):
    floor = fixed("floor", {"kind": 2, "normal": (0, 1, 0)})
    shapes = [{"kind": 3, "half": (0.5, 0.5, 0)}, {"kind": 1, "radius": 0.5},
              {"kind": 5, "points": [(-0.5, -0.5), (0.6, -0.5), (0, 0.7)]}]
    ways = [falling(1.2 * i - 2.4, 0, 2 + 0.7 * i, 0.5, bounce * (1 + i), up=1) for i in range(5)]
    bodies = [floor] + [Body(f"piece {i}", way, shapes[i % 3]) for i, way in enumerate(ways)]
    return Scene("Pieces in a plane", bodies, 0.01, 150, planar=True)


def joints():
    post = fixed("post", {"kind": 3, "half": (0.1, 0.4, 0.1)})
    rod = Body("rod", swinging(1, 0.8, 3.1), {"kind": 3, "half": (0.06, 0.06, 1)}, mass=2, inertia=(0.7, 0.7, 0.01))
    bob = Body("bob", lambda t: [1.2, 0, -1.5 + 0.3 * math.cos(4 * t), 1, 0, 0, 0, 0, 0, -1.2 * math.sin(4 * t), 0, 0, 0],
               {"kind": 1, "radius": 0.25})
    hinge = (2, 0, 1, (0, 0, 0), (0, 0, 1), turned([1, 0, 0], -math.pi / 2))
    spring = (0, 2, (0.1, 0, 0), (0, 0, 0.25))
    return Scene("A rod on a hinge, a ball on a spring", [post, rod, bob], 0.005, 400, joints=[hinge], springs=[spring],
                 scalars=[("angle", lambda t: 0.8 * math.cos(3.1 * t))])


def many(count=1000, steps=1000):
    bodies = [fixed("ground", {"kind": 2, "normal": (0, 0, 1)})]
    for i in range(count):
        x, y, layer = i % 10 * 1.2, i // 10 % 10 * 1.2, i // 100
        bodies.append(Body("", falling(x, y, 3 + 2.2 * layer + 0.1 * (i % 7), 0.5 + layer, 1 + i % 5),
                           [{"kind": 3, "half": (0.5, 0.5, 0.5)}, {"kind": 1, "radius": 0.5}][i % 2]))
    return Scene("A thousand bodies", bodies, 0.005, steps)


SCENES = {"drop": lambda: [("drop", drop())], "flat": lambda: [("flat", flat())], "joints": lambda: [("joints", joints())],
          "compare": lambda: [("calm", flat(0.3)), ("lively", flat(2.0))], "many": lambda: [("many", many())],
          "compare3": lambda: [("nine", drop()), ("hinge", joints()), ("nine again", drop())]}


def page(runs, template):
    """Runs: (name, bytes). The mark in the template gives way to them."""
    objects = (json.dumps({"name": name, "data": base64.b64encode(data).decode()}).replace("<", "\\u003c") for name, data in runs)
    before, after = template.split("/*RECORDINGS*/")
    return before + ",\n".join(objects) + after


# ---- reading: only what the tests ask for ----

class Bytes:
    def __init__(self, data):
        self.data, self.at = data, 0

    def get(self, form):
        values = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return values

    def text(self):
        n, = self.get("I")
        self.at += n
        return self.data[self.at - n:self.at].decode()

    def masked(self, n):
        mask, = self.get("I")
        return [self.get("d")[0] if mask >> k & 1 else 0.0 for k in range(n)]


def chunks_of(data):
    at = struct.unpack_from("<I", data, 12)[0]
    while at < len(data):
        size, total = struct.unpack_from("<II", data, at + 4)
        payload = data[at + 12:at + 12 + size]
        assert zlib.adler32(payload) == total
        yield data[at:at + 4], payload
        at += 12 + size


def kinds_of_bodies(payload):
    b, kinds = Bytes(payload), []
    count = b.get("5I")[0]
    b.at += 24 + 32 + 40
    for _ in range(count):
        kind, flags = b.get("BB")
        rest = b.masked(25)
        b.at += 56 if flags & 1 else 0
        kinds.append((kind, rest[6:]))
    return kinds


def read_frame(payload, kinds):
    b, frame = Bytes(payload), {}
    _, frame["status"] = b.get("Ii")
    frame["message"] = b.text()
    _, frame["time"], frame["h"], _ = b.get("iddQ")
    frame["residual"], frame["worst_gap"], frame["energy_excess"] = b.get("3d")
    frame.update(zip(HEAD_COUNTS, b.get(f"{b.get('I')[0]}i")))
    b.at += 16
    frame.update(zip(HEAD_REALS, b.get("7d")))
    frame["scalars"] = b.get(f"{b.get('I')[0]}d")
    b.at += 4
    frame["bodies"] = []
    for kind, rest in kinds:
        b.at += 1
        frame["bodies"].append(rest if kind == 1 else b.masked(BODY_REALS))
    frame["joint_error"] = 0
    for _ in range(b.get("I")[0]):
        b.at += 5
        frame["joint_error"] = max(frame["joint_error"], b.masked(19)[18])
    for _ in range(b.get("I")[0]):
        b.at += 1
        b.masked(2)
    frame["contact_bodies"] = []
    for _ in range(b.get("I")[0]):
        frame["contact_bodies"].append(b.get("ii"))
        b.at += 30
        b.masked(11)
    return frame


def read_recording(data):
    run = {"frames": []}
    for tag, payload in chunks_of(data):
        if tag == b"SCNE":
            kinds = kinds_of_bodies(payload)
        if tag == b"FRAM":
            run["frames"].append(read_frame(payload, kinds))
    return run


def recordings_of(page_text):
    """The objects between the marks of a page's script element: names and bytes."""
    start = page_text.index('id="recordings">') + len('id="recordings">')
    return [(o["name"], base64.b64decode(o["data"])) for o in json.loads(page_text[start:page_text.index("</script>", start)])]


def main():
    if sys.argv[1] == "page":
        with open(sys.argv[4], encoding="utf-8") as file:
            template = file.read()
        with open(sys.argv[3], "w", encoding="utf-8") as file:
            file.write(page([(name, scene.bytes()) for name, scene in SCENES[sys.argv[2]]()], template))
    else:
        with open(sys.argv[2], encoding="utf-8") as file:
            runs = recordings_of(file.read())
        json.dump([{"name": name, **read_recording(data)} for name, data in runs], sys.stdout)


if __name__ == "__main__":
    main()
