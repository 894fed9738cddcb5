// A camera arm for the edge of a table: clamp, elbow and camera head, joined by two lengths of tube.
// Any round tube or broomstick does. Print each part once, without supports, 4 walls, 30 % infill.
//
//   openscad -D 'part="clamp"' -o clamp.stl camera-arm.scad      (also: elbow, head, pad)
//
// `allcity camera-height` tells the camera's height; the upright tube is 6 cm longer, the boom half the table's depth.

/* [What to make] */
part = "assembled"; // [assembled, plate, clamp, elbow, head, pad]

/* [Your table and tube] */
table_max = 42;      // thickest table top that fits, mm
tube_d = 25;         // outer diameter of the tube, mm
tube_play = 0.4;     // so that it slides in

/* [The camera: Pi Camera Modules 2 and 3] */
hole_across = 21;    // between the mounting holes, left to right
hole_along = 12.5;   // between the mounting holes, top to bottom
hole_d = 2.2;        // M2 screws
lens_window = 14;    // the lens looks through this square
board_width = 25;

/* [Strength] */
wall = 5;
jaw = 52;            // how far the clamp reaches over the table
jaw_thick = 11;
width = 44;
grip = 46;           // how deep a tube sits in its socket

/* [Only for the picture] */
upright = 300;       // real ones are about a metre
boom = 240;
thickness = 28;

bolt_d = 4.4;        // M4 bolts hold the tubes
nut_d = 8.1;         // M4 nut, over its corners
nut_h = 3.4;
screw_d = 6.5;       // M6 screw of the clamp
screw_nut_d = 11.6;
screw_nut_h = 5.4;

$fn = 72;
socket_d = tube_d + 2 * wall;
little = 0.01;

// --- pieces -------------------------------------------------------------------------------------

module bore(length) {
  translate([0, 0, -little]) cylinder(d = tube_d + tube_play, h = length + 2 * little);
}

// Where an M4 bolt presses on a tube along z from the side of x: its hole, and a slot from the side of y for its nut.
module bolt_path(slot) {
  rotate([0, 90, 0]) cylinder(d = bolt_d, h = socket_d + 10, $fn = 32);
  translate([socket_d / 2 - 0.5, 0, 0]) {
    rotate([0, 90, 0]) rotate(30) cylinder(d = nut_d, h = nut_h, $fn = 6);
    translate([0, 0, -nut_d * 0.433]) cube([nut_h, slot, nut_d * 0.866]);
  }
}

// Stands on the print bed at `below` and holds bolt and nut.
module boss(below) {
  translate([socket_d / 2 - 4, -below, -7.5]) cube([11.5, below + 7, 15]);
}

module rounded(size, radius = 4) {
  translate([radius, radius, 0]) linear_extrude(size[2]) offset(radius) square([size[0] - 2 * radius, size[1] - 2 * radius]);
}

// --- the clamp: table edge at x = 0, table top at z = 0; printed lying on its side ----------------------

back = 14;
gap = table_max + 12;
block = socket_d + 8;
axis = -back - socket_d / 2 + 3; // of the upright

module clamp() {
  tall = gap + 2 * jaw_thick;
  difference() {
    translate([0, width / 2, 0]) rotate([90, 0, 0]) linear_extrude(width, convexity = 6) offset(2) offset(-2) difference() {
      translate([axis + socket_d / 2 - block, -gap - jaw_thick]) square([block - socket_d / 2 - axis + jaw, tall]);
      offset(3) offset(-3) translate([0, -gap]) square([jaw + 10, gap]);
    }
    translate([axis, 0, -gap - jaw_thick]) {
      bore(tall);
      for (at = [0.2, 0.8]) translate([0, 0, tall * at]) mirror([1, 0, 0]) bolt_path(width);
    }
    // M6 screw from below; its nut sits inside the jaw.
    translate([jaw * 0.6, 0, -gap - jaw_thick - 1]) cylinder(d = screw_d, h = jaw_thick + 2);
    translate([jaw * 0.6, 0, -gap - screw_nut_h]) cylinder(d = screw_nut_d, h = screw_nut_h + 1, $fn = 6);
  }
}

// Goes on the tip of the M6 screw, so that it does not bite the table.
module pad() {
  difference() {
    cylinder(d1 = 26, d2 = 22, h = 7);
    translate([0, 0, 2.5]) cylinder(d = screw_d + 0.2, h = 10);
  }
}

// --- the elbow: upright from below, boom to the right; printed lying on its flat side -------------------

reach = socket_d / 2 + 4;
flat = socket_d / 2 - 2.2;

module elbow() {
  difference() {
    union() {
      translate([0, 0, -grip - reach]) cylinder(d = socket_d, h = grip + reach);
      rotate([0, 90, 0]) cylinder(d = socket_d, h = grip + reach);
      sphere(d = socket_d);
      // A web that keeps the corner stiff.
      rotate([90, 0, 0]) translate([0, 0, flat - 2 * wall]) linear_extrude(2 * wall, convexity = 4)
        polygon([[0, 0], [grip + reach, -flat], [flat, -grip - reach], [0, -grip - reach]]);
      for (at = bolts_at) {
        translate([0, 0, -at]) mirror([1, 0, 0]) boss(flat);
        translate([at, 0, 0]) rotate([0, -90, 0]) boss(flat);
      }
    }
    translate([0, 0, -grip - reach]) bore(grip);
    translate([reach, 0, 0]) rotate([0, 90, 0]) bore(grip);
    for (at = bolts_at) {
      translate([0, 0, -at]) mirror([1, 0, 0]) bolt_path(20);
      translate([at, 0, 0]) rotate([0, -90, 0]) bolt_path(20);
    }
    translate([-500, -flat - 100, -500]) cube([1000, 100, 1000]);
  }
}

bolts_at = [reach + grip * 0.28, reach + grip * 0.76];

// --- the head: the boom comes in along x, the camera looks down -----------------------------------------

module head() {
  plate = [hole_along + 30, board_width + 15, 4];
  drop = socket_d / 2 + 2;
  difference() {
    union() {
      rotate([0, 90, 0]) cylinder(d = socket_d, h = grip);
      translate([grip / 2, 0, 0]) rotate([0, -90, 0]) boss(7);
      // A foot under the sleeve that runs out into the camera's plate; all of it lies flat on the print bed.
      translate([0, -socket_d / 2 + 5, -drop - plate[2]]) cube([grip, socket_d - 10, drop]);
      translate([grip - 12, -plate[1] / 2, -drop - plate[2]]) rounded([plate[0] + 10, plate[1], plate[2]]);
    }
    rotate([0, 90, 0]) bore(grip);
    translate([grip / 2, 0, 0]) rotate([0, -90, 0]) bolt_path(20);
    translate([grip + hole_along + 10, 0, -drop - plate[2] - 1]) camera_holes(plate[2] + 2);
  }
}

// Around the lens, which sits level with the lower pair of holes.
module camera_holes(depth) {
  translate([-lens_window / 2, -lens_window / 2, 0]) cube([lens_window, lens_window, depth]);
  for (across = [-1, 1], along = [0, -hole_along]) translate([along, across * hole_across / 2, 0]) cylinder(d = hole_d, h = depth, $fn = 24);
}

// --- how it looks, and how it is laid on the printer ----------------------------------------------------

module tube(length) {
  difference() {
    cylinder(d = tube_d, h = length);
    translate([0, 0, -1]) cylinder(d = tube_d - 4, h = length + 2);
  }
}

module assembled() {
  top = upright + 20;
  tip = axis + reach + boom;
  color("#2f8f6b") clamp();
  color("#e0841a") translate([jaw * 0.6, 0, -thickness]) rotate([180, 0, 0]) pad();
  color("#8c9097") translate([jaw * 0.6, 0, -thickness - 52]) cylinder(d = 6, h = 50);
  color("#d9c7a3") translate([0, -12, -thickness]) cube([190, 150, thickness]);
  color("#c3c8ce") translate([axis, 0, -60]) tube(top - reach + 60);
  color("#2f8f6b") translate([axis, 0, top]) elbow();
  color("#c3c8ce") translate([axis + reach, 0, top]) rotate([0, 90, 0]) tube(boom);
  color("#2f8f6b") translate([tip - grip, 0, top]) head();
  translate([tip + hole_along + 10, 0, top - socket_d / 2 - 2]) camera();
}

// The camera's board lies on the plate, its lens looks down through the window.
module camera() {
  color("#1f6f4a") translate([-hole_along - 2, -board_width / 2, 0]) cube([24, board_width, 1.4]);
  color("#1b1d20") translate([0, 0, -8]) cylinder(d = 11, h = 8);
}

module as_printed(name) {
  if (name == "clamp") translate([0, 0, width / 2]) rotate([90, 0, 0]) clamp();
  else if (name == "elbow") translate([0, 0, flat]) rotate([90, 0, 0]) elbow();
  else if (name == "head") translate([0, 0, socket_d / 2 + 6]) head();
  else if (name == "pad") pad();
  else assert(false, str("there is no part called ", name));
}

module plate() {
  color("#2f8f6b") as_printed("clamp");
  color("#2f8f6b") translate([105, 55, 0]) as_printed("elbow");
  color("#2f8f6b") translate([85, -50, 0]) as_printed("head");
  color("#e0841a") translate([55, -85, 0]) as_printed("pad");
}

if (part == "assembled") assembled();
else if (part == "plate") plate();
else as_printed(part);
