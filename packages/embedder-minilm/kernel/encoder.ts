/**
 * The encoder of all-MiniLM-L6-v2 (BERT: 6 layers, 12 heads, 384 numbers a token) in AssemblyScript. Weights are int8 with one scale per row; activations are
 * int16 with one scale per token; sums are int32. It uses neither relaxed SIMD nor functions of the host, and no NaN can arise, so the same tokens give the same
 * bytes on every machine. Tokens of one text are computed row by row, so the result does not depend on other texts.
 */
const hidden: i32 = 384;
const heads: i32 = 12;
const headSize: i32 = 32;
const inner: i32 = 1536;
const layers: i32 = 6;
const vocabulary: i32 = 30522;
const mostTokens: i32 = 256;
const eps: f32 = 1e-12;
/** Activations are quantised to this many steps on either side: 127 * 8191 * 1536 is below 2 ** 31. */
const steps: f32 = 8191;

/** The weights, in the order of model/minilm.bin (tools/model.mjs). The rows of words come first: the host may read only those it needs. */
const wordsAt: usize = 65536;
const wordScalesAt: usize = wordsAt + <usize>vocabulary * hidden;
const positionsAt: usize = wordScalesAt + <usize>vocabulary * 4;
const firstNormAt: usize = positionsAt + <usize>mostTokens * hidden * 4;
const layersAt: usize = firstNormAt + <usize>hidden * 8;
const qkvBytes: usize = <usize>3 * hidden * hidden + 3 * hidden * 8;
const outBytes: usize = <usize>hidden * hidden + hidden * 8;
const upBytes: usize = <usize>inner * hidden + inner * 8;
const downBytes: usize = <usize>hidden * inner + hidden * 8;
const layerBytes: usize = qkvBytes + outBytes + upBytes + downBytes + hidden * 16;
const end: usize = layersAt + <usize>layers * layerBytes;
/** Scratch memory. */
const idsAt: usize = (end + 63) & ~63;
const xAt: usize = idsAt + mostTokens * 4;
const yAt: usize = xAt + <usize>mostTokens * hidden * 4;
const qkvAt: usize = yAt + <usize>mostTokens * hidden * 4;
const contextAt: usize = qkvAt + <usize>mostTokens * hidden * 12;
const innerAt: usize = contextAt + <usize>mostTokens * hidden * 4;
const quantAt: usize = innerAt + <usize>mostTokens * inner * 4;
const scalesAt: usize = quantAt + <usize>mostTokens * inner * 2;
const scoresAt: usize = scalesAt + mostTokens * 4;
const meanAt: usize = scoresAt + mostTokens * 4;
const vectorAt: usize = meanAt + hidden * 4;

/** Where the host puts the weights and the ids of tokens (i32, at most 256), and finds the vector (384 i8). */
export const weights: usize = wordsAt;
export const weightBytes: usize = end - wordsAt;
export const wordBytes: usize = wordScalesAt - wordsAt;
export const tokens: usize = idsAt;
export const vector: usize = vectorAt;

@inline function exp4(x: v128): v128 {
  // 2 ** n * e ** r, |r| <= ln 2 / 2
  const limited = f32x4.max(f32x4.min(x, f32x4.splat(88)), f32x4.splat(-87));
  const n = f32x4.nearest(f32x4.mul(limited, f32x4.splat(1.44269504)));
  let r = f32x4.sub(limited, f32x4.mul(n, f32x4.splat(0.693359375)));
  r = f32x4.sub(r, f32x4.mul(n, f32x4.splat(-2.12194440e-4)));
  let p = f32x4.splat(1.9875691500e-4);
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(1.3981999507e-3));
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(8.3334519073e-3));
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(4.1665795894e-2));
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(1.6666665459e-1));
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(5.0000001201e-1));
  p = f32x4.add(f32x4.add(f32x4.mul(f32x4.mul(p, r), r), r), f32x4.splat(1));
  const power = i32x4.shl(i32x4.add(i32x4.trunc_sat_f32x4_s(n), i32x4.splat(127)), 23);
  return f32x4.mul(p, power);
}
@inline function sum4(v: v128): f32 {
  return (f32x4.extract_lane(v, 0) + f32x4.extract_lane(v, 1)) + (f32x4.extract_lane(v, 2) + f32x4.extract_lane(v, 3));
}
@inline function isum4(v: v128): i32 {
  return (i32x4.extract_lane(v, 0) + i32x4.extract_lane(v, 1)) + (i32x4.extract_lane(v, 2) + i32x4.extract_lane(v, 3));
}

/** Rows of f32 to i16 with one scale a row. */
function quantise(from: usize, rows: i32, width: i32): void {
  for (let row = 0; row < rows; row++) {
    const src = from + <usize>row * width * 4;
    const dst = quantAt + <usize>row * width * 2;
    let most = f32x4.splat(0);
    for (let at = 0; at < width; at += 4) most = f32x4.max(most, f32x4.abs(v128.load(src + at * 4)));
    const top = max(max(f32x4.extract_lane(most, 0), f32x4.extract_lane(most, 1)), max(f32x4.extract_lane(most, 2), f32x4.extract_lane(most, 3)));
    const scale: f32 = top > 0 ? steps / top : 0;
    store<f32>(scalesAt + row * 4, top / steps);
    const by = f32x4.splat(scale);
    for (let at = 0; at < width; at += 8) {
      const a = i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(v128.load(src + at * 4), by)));
      const b = i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(v128.load(src + at * 4 + 16), by)));
      v128.store(dst + at * 2, i16x8.narrow_i32x4_s(a, b));
    }
  }
}

/** to[t][n] = x[t] . w[n] * scale + bias; x is what `quantise` left. */
function multiply(rows: i32, width: i32, weights: usize, outputs: i32, to: usize): void {
  const scales = weights + <usize>outputs * width;
  const biases = scales + <usize>outputs * 4;
  const stride = <usize>width * 2;
  for (let row = 0; row < rows; row += 4) {
    const x0 = quantAt + <usize>row * stride;
    // Rows past the last are read but not stored.
    const x1 = x0 + stride, x2 = x1 + stride, x3 = x2 + stride;
    for (let n = 0; n < outputs; n += 2) {
      const w0 = weights + <usize>n * width;
      const w1 = w0 + width;
      let a0 = i32x4.splat(0), a1 = i32x4.splat(0), a2 = i32x4.splat(0), a3 = i32x4.splat(0);
      let b0 = i32x4.splat(0), b1 = i32x4.splat(0), b2 = i32x4.splat(0), b3 = i32x4.splat(0);
      for (let k: usize = 0; k < <usize>width; k += 8) {
        const u = v128.load_ext<i8>(w0 + k);
        const v = v128.load_ext<i8>(w1 + k);
        const k2 = k << 1;
        let x = v128.load(x0 + k2);
        a0 = i32x4.add(a0, i32x4.dot_i16x8_s(u, x));
        b0 = i32x4.add(b0, i32x4.dot_i16x8_s(v, x));
        x = v128.load(x1 + k2);
        a1 = i32x4.add(a1, i32x4.dot_i16x8_s(u, x));
        b1 = i32x4.add(b1, i32x4.dot_i16x8_s(v, x));
        x = v128.load(x2 + k2);
        a2 = i32x4.add(a2, i32x4.dot_i16x8_s(u, x));
        b2 = i32x4.add(b2, i32x4.dot_i16x8_s(v, x));
        x = v128.load(x3 + k2);
        a3 = i32x4.add(a3, i32x4.dot_i16x8_s(u, x));
        b3 = i32x4.add(b3, i32x4.dot_i16x8_s(v, x));
      }
      const s0 = load<f32>(scales + n * 4), s1 = load<f32>(scales + n * 4 + 4);
      const c0 = load<f32>(biases + n * 4), c1 = load<f32>(biases + n * 4 + 4);
      const left = rows - row;
      const y = to + (<usize>row * outputs + n) * 4;
      put(y, row, isum4(a0), isum4(b0), s0, s1, c0, c1);
      if (left > 1) put(y + <usize>outputs * 4, row + 1, isum4(a1), isum4(b1), s0, s1, c0, c1);
      if (left > 2) put(y + <usize>outputs * 8, row + 2, isum4(a2), isum4(b2), s0, s1, c0, c1);
      if (left > 3) put(y + <usize>outputs * 12, row + 3, isum4(a3), isum4(b3), s0, s1, c0, c1);
    }
  }
}
@inline function put(y: usize, row: i32, a: i32, b: i32, s0: f32, s1: f32, c0: f32, c1: f32): void {
  const s = load<f32>(scalesAt + row * 4);
  store<f32>(y, <f32>a * (s * s0) + c0);
  store<f32>(y + 4, <f32>b * (s * s1) + c1);
}

/** x = norm(x + y) with gamma and beta. */
function addAndNorm(rows: i32, add: usize, norm: usize): void {
  for (let row = 0; row < rows; row++) {
    const x = xAt + <usize>row * hidden * 4;
    const y = add + <usize>row * hidden * 4;
    let total = f32x4.splat(0);
    for (let at: i32 = 0; at < hidden * 4; at += 16) {
      const v = f32x4.add(v128.load(x + at), v128.load(y + at));
      v128.store(x + at, v);
      total = f32x4.add(total, v);
    }
    const mean = f32x4.splat(sum4(total) / <f32>hidden);
    let squares = f32x4.splat(0);
    for (let at: i32 = 0; at < hidden * 4; at += 16) {
      const v = f32x4.sub(v128.load(x + at), mean);
      v128.store(x + at, v);
      squares = f32x4.add(squares, f32x4.mul(v, v));
    }
    const scale = f32x4.splat(<f32>1 / sqrt<f32>(sum4(squares) / <f32>hidden + eps));
    for (let at: i32 = 0; at < hidden * 4; at += 16)
      v128.store(x + at, f32x4.add(f32x4.mul(f32x4.mul(v128.load(x + at), scale), v128.load(norm + at)), v128.load(norm + hidden * 4 + at)));
  }
}

function attend(rows: i32): void {
  const stride: usize = hidden * 12;
  for (let head = 0; head < heads; head++) {
    const own: usize = <usize>head * headSize * 4;
    for (let row = 0; row < rows; row++) {
      const q = qkvAt + <usize>row * stride + own;
      let top: f32 = -1e30;
      for (let other = 0; other < rows; other++) {
        const k = qkvAt + <usize>other * stride + hidden * 4 + own;
        let total = f32x4.mul(v128.load(q), v128.load(k));
        for (let at: i32 = 16; at < headSize * 4; at += 16)
          total = f32x4.add(total, f32x4.mul(v128.load(q + at), v128.load(k + at)));
        const score = sum4(total);
        store<f32>(scoresAt + other * 4, score);
        if (score > top) top = score;
      }
      // Past the last, so that four at a time can be taken.
      for (let other = rows; other < ((rows + 3) & ~3); other++) store<f32>(scoresAt + other * 4, -1e30);
      let total = f32x4.splat(0);
      for (let other = 0; other < rows; other += 4) {
        const e = exp4(f32x4.sub(v128.load(scoresAt + other * 4), f32x4.splat(top)));
        v128.store(scoresAt + other * 4, e);
      }
      for (let other = rows; other < ((rows + 3) & ~3); other++) store<f32>(scoresAt + other * 4, 0);
      for (let other = 0; other < rows; other += 4) total = f32x4.add(total, v128.load(scoresAt + other * 4));
      const by = <f32>1 / sum4(total);
      const to = contextAt + (<usize>row * hidden) * 4 + own;
      let c0 = f32x4.splat(0), c1 = f32x4.splat(0), c2 = f32x4.splat(0), c3 = f32x4.splat(0);
      let c4 = f32x4.splat(0), c5 = f32x4.splat(0), c6 = f32x4.splat(0), c7 = f32x4.splat(0);
      for (let other = 0; other < rows; other++) {
        const p = f32x4.splat(load<f32>(scoresAt + other * 4) * by);
        const v = qkvAt + <usize>other * stride + hidden * 8 + own;
        c0 = f32x4.add(c0, f32x4.mul(p, v128.load(v)));
        c1 = f32x4.add(c1, f32x4.mul(p, v128.load(v + 16)));
        c2 = f32x4.add(c2, f32x4.mul(p, v128.load(v + 32)));
        c3 = f32x4.add(c3, f32x4.mul(p, v128.load(v + 48)));
        c4 = f32x4.add(c4, f32x4.mul(p, v128.load(v + 64)));
        c5 = f32x4.add(c5, f32x4.mul(p, v128.load(v + 80)));
        c6 = f32x4.add(c6, f32x4.mul(p, v128.load(v + 96)));
        c7 = f32x4.add(c7, f32x4.mul(p, v128.load(v + 112)));
      }
      v128.store(to, c0); v128.store(to + 16, c1); v128.store(to + 32, c2); v128.store(to + 48, c3);
      v128.store(to + 64, c4); v128.store(to + 80, c5); v128.store(to + 96, c6); v128.store(to + 112, c7);
    }
  }
}

/** x * (1 + erf(x / sqrt 2)) / 2; erf by Abramowitz and Stegun 7.1.26 (error below 1.5e-7). */
function gelu(count: i32): void {
  const one = f32x4.splat(1);
  for (let at: i32 = 0; at < count * 4; at += 16) {
    const x = v128.load(innerAt + at);
    const z = f32x4.mul(f32x4.abs(x), f32x4.splat(0.70710678));
    const t = f32x4.div(one, f32x4.add(one, f32x4.mul(z, f32x4.splat(0.3275911))));
    let p = f32x4.splat(1.061405429);
    p = f32x4.add(f32x4.mul(p, t), f32x4.splat(-1.453152027));
    p = f32x4.add(f32x4.mul(p, t), f32x4.splat(1.421413741));
    p = f32x4.add(f32x4.mul(p, t), f32x4.splat(-0.284496736));
    p = f32x4.add(f32x4.mul(p, t), f32x4.splat(0.254829592));
    const e = f32x4.sub(one, f32x4.mul(f32x4.mul(p, t), exp4(f32x4.neg(f32x4.mul(z, z)))));
    const signed = v128.or(e, v128.and(x, i32x4.splat(0x80000000)));
    v128.store(innerAt + at, f32x4.mul(f32x4.mul(x, f32x4.splat(0.5)), f32x4.add(one, signed)));
  }
}

/** Computes the vector of the first `count` tokens: the mean of the last layer at unit length, times 254, rounded and clipped to -127…127. */
export function encode(count: i32): void {
  for (let row = 0; row < count; row++) {
    const id = load<i32>(idsAt + row * 4);
    const words = wordsAt + <usize>id * hidden;
    const scale = f32x4.splat(load<f32>(wordScalesAt + id * 4));
    const position = positionsAt + <usize>row * hidden * 4;
    const x = xAt + <usize>row * hidden * 4;
    for (let at: i32 = 0; at < hidden; at += 8) {
      const w = v128.load_ext<i8>(words + at);
      const low = f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(w));
      const high = f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(w));
      v128.store(x + at * 4, f32x4.mul(low, scale));
      v128.store(x + at * 4 + 16, f32x4.mul(high, scale));
    }
    memory.copy(yAt + <usize>row * hidden * 4, position, hidden * 4);
  }
  addAndNorm(count, yAt, firstNormAt);
  for (let layer = 0; layer < layers; layer++) {
    const qkv = layersAt + <usize>layer * layerBytes;
    const out = qkv + qkvBytes;
    const norm1 = out + outBytes;
    const up = norm1 + hidden * 8;
    const down = up + upBytes;
    const norm2 = down + downBytes;
    quantise(xAt, count, hidden);
    multiply(count, hidden, qkv, 3 * hidden, qkvAt);
    attend(count);
    quantise(contextAt, count, hidden);
    multiply(count, hidden, out, hidden, yAt);
    addAndNorm(count, yAt, norm1);
    quantise(xAt, count, hidden);
    multiply(count, hidden, up, inner, innerAt);
    gelu(count * inner);
    quantise(innerAt, count, inner);
    multiply(count, inner, down, hidden, yAt);
    addAndNorm(count, yAt, norm2);
  }
  memory.fill(meanAt, 0, hidden * 4);
  for (let row = 0; row < count; row++)
    for (let at: i32 = 0; at < hidden * 4; at += 16)
      v128.store(meanAt + at, f32x4.add(v128.load(meanAt + at), v128.load(xAt + <usize>row * hidden * 4 + at)));
  let squares = f32x4.splat(0);
  for (let at: i32 = 0; at < hidden * 4; at += 16)
    squares = f32x4.add(squares, f32x4.mul(v128.load(meanAt + at), v128.load(meanAt + at)));
  const by = f32x4.splat(<f32>254 / sqrt<f32>(sum4(squares)));
  for (let at: i32 = 0; at < hidden; at += 16) {
    const low = i16x8.narrow_i32x4_s(scaled(at, by), scaled(at + 4, by));
    const high = i16x8.narrow_i32x4_s(scaled(at + 8, by), scaled(at + 12, by));
    v128.store(vectorAt + at, i8x16.max_s(i8x16.narrow_i16x8_s(low, high), i8x16.splat(-127)));
  }
}

@inline function scaled(at: i32, by: v128): v128 {
  return i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(v128.load(meanAt + at * 4), by)));
}
