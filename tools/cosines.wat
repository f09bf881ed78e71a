;; The loop of `cosines` in src/recall/vectors/int8.ts, which contains it assembled, in base64:
;;   npx --package=binaryen@132 wasm-as --enable-simd tools/cosines.wat -o - | base64 --wrap=0
;; Compares a vector with four rows at a time, one from each quarter of the rows: one core reads memory faster in four streams than in one.
;; The memory contains the vector, in 16-bit integers, followed by zeros; a cosine for each row of the four quarters; the rows; and 16 more bytes.
(module
  (memory (import "" "memory") 1)
  (func (export "run")
    (param $vector i32)     ;; bytes of the vector and its zeros: the least multiple of 32 for all of it
    (param $dimensions i32) ;; bytes of a row, 1 or more; what is read beyond it is multiplied by zeros
    (param $quarter i32)    ;; number of rows in a quarter, 1 or more
    (param $from i32)       ;; the first row of each quarter to compare
    (param $to i32)         ;; the row after the last, more than $from
    (local $rows i32) (local $cosines i32) (local $row i32) (local $out i32) (local $end i32)
    (local $at i32) (local $a i32) (local $b i32) (local $c i32) (local $d i32)
    (local $v v128) (local $p v128) (local $q v128) (local $r v128) (local $s v128)
    (local.set $rows (i32.mul (local.get $quarter) (local.get $dimensions)))
    (local.set $cosines (i32.mul (local.get $quarter) (i32.const 4)))
    (local.set $row (i32.add
      (i32.add (local.get $vector) (i32.mul (local.get $cosines) (i32.const 4)))
      (i32.mul (local.get $from) (local.get $dimensions))))
    (local.set $out (i32.add (local.get $vector) (i32.mul (local.get $from) (i32.const 4))))
    (local.set $end (i32.add (local.get $vector) (i32.mul (local.get $to) (i32.const 4))))
    (loop $four
      (local.set $a (local.get $row))
      (local.set $b (i32.add (local.get $a) (local.get $rows)))
      (local.set $c (i32.add (local.get $b) (local.get $rows)))
      (local.set $d (i32.add (local.get $c) (local.get $rows)))
      (local.set $p (v128.const i32x4 0 0 0 0))
      (local.set $q (v128.const i32x4 0 0 0 0))
      (local.set $r (v128.const i32x4 0 0 0 0))
      (local.set $s (v128.const i32x4 0 0 0 0))
      (local.set $at (i32.const 0))
      (loop $parts
        (local.set $v (v128.load (local.get $at)))
        (local.set $p (i32x4.add (local.get $p) (i32x4.dot_i16x8_s (local.get $v) (v128.load8x8_s (local.get $a)))))
        (local.set $q (i32x4.add (local.get $q) (i32x4.dot_i16x8_s (local.get $v) (v128.load8x8_s (local.get $b)))))
        (local.set $r (i32x4.add (local.get $r) (i32x4.dot_i16x8_s (local.get $v) (v128.load8x8_s (local.get $c)))))
        (local.set $s (i32x4.add (local.get $s) (i32x4.dot_i16x8_s (local.get $v) (v128.load8x8_s (local.get $d)))))
        (local.set $v (v128.load offset=16 (local.get $at)))
        (local.set $p (i32x4.add (local.get $p) (i32x4.dot_i16x8_s (local.get $v) (v128.load8x8_s offset=8 (local.get $a)))))
        (local.set $q (i32x4.add (local.get $q) (i32x4.dot_i16x8_s (local.get $v) (v128.load8x8_s offset=8 (local.get $b)))))
        (local.set $r (i32x4.add (local.get $r) (i32x4.dot_i16x8_s (local.get $v) (v128.load8x8_s offset=8 (local.get $c)))))
        (local.set $s (i32x4.add (local.get $s) (i32x4.dot_i16x8_s (local.get $v) (v128.load8x8_s offset=8 (local.get $d)))))
        (local.set $a (i32.add (local.get $a) (i32.const 16)))
        (local.set $b (i32.add (local.get $b) (i32.const 16)))
        (local.set $c (i32.add (local.get $c) (i32.const 16)))
        (local.set $d (i32.add (local.get $d) (i32.const 16)))
        (br_if $parts (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 32))) (local.get $vector))))
      ;; Each row has four sums. $p gets the sums of the first two rows in its low half, $r those of the other two.
      (local.set $p (i32x4.add
        (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $p) (local.get $q))
        (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $p) (local.get $q))))
      (local.set $r (i32x4.add
        (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $r) (local.get $s))
        (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $r) (local.get $s))))
      (local.set $p (i32x4.add (local.get $p)
        (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $p) (local.get $p))))
      (local.set $r (i32x4.add (local.get $r)
        (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $r) (local.get $r))))
      ;; Divided by 254 squared in 64 bits, like numbers of JavaScript.
      (local.set $p (f32x4.demote_f64x2_zero
        (f64x2.div (f64x2.convert_low_i32x4_s (local.get $p)) (v128.const f64x2 64516 64516))))
      (local.set $r (f32x4.demote_f64x2_zero
        (f64x2.div (f64x2.convert_low_i32x4_s (local.get $r)) (v128.const f64x2 64516 64516))))
      (f32.store (local.tee $a (local.get $out)) (f32x4.extract_lane 0 (local.get $p)))
      (f32.store (local.tee $a (i32.add (local.get $a) (local.get $cosines))) (f32x4.extract_lane 1 (local.get $p)))
      (f32.store (local.tee $a (i32.add (local.get $a) (local.get $cosines))) (f32x4.extract_lane 0 (local.get $r)))
      (f32.store (i32.add (local.get $a) (local.get $cosines)) (f32x4.extract_lane 1 (local.get $r)))
      (local.set $row (i32.add (local.get $row) (local.get $dimensions)))
      (br_if $four (i32.lt_u (local.tee $out (i32.add (local.get $out) (i32.const 4))) (local.get $end))))))
