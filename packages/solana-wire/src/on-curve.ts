/** The prime of Curve25519's field. */
const P = 2n ** 255n - 19n;
/** The constant of the twisted Edwards curve -x² + y² = 1 + d x² y². */
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;

/**
 * Whether 32 bytes are a point of Ed25519, as a public key is and a program-derived address is not. Only the existence of an x is
 * asked, by the Jacobi symbol of its square: a ninth of the time of decompressing the point.
 * @see RFC 8032 §5.1.3
 */
export function isOnCurve(bytes: Uint8Array): boolean {
  const bigEndian = Buffer.from(bytes).reverse();
  bigEndian[0] = (bigEndian[0] ?? 0) & 0x7f;
  const y = BigInt(`0x${bigEndian.toString('hex')}`) % P;
  const y2 = (y * y) % P;
  // x² = u / v is a square where u v is: v is never 0, since -1/d is no square
  const u = (y2 + P - 1n) % P;
  const v = (D * y2 + 1n) % P;
  return jacobi((u * v) % P, P) !== -1;
}

/** The Jacobi symbol of `a` over an odd `n`. */
function jacobi(a: bigint, n: bigint): -1 | 0 | 1 {
  let top = a;
  let bottom = n;
  let sign: -1 | 1 = 1;
  const turn = () => {
    sign = sign === 1 ? -1 : 1;
  };
  while (top !== 0n) {
    const zeros = trailingZeros(top);
    top >>= BigInt(zeros);
    const mod8 = Number(bottom & 7n);
    if (zeros % 2 === 1 && (mod8 === 3 || mod8 === 5)) turn();
    if ((top & 3n) === 3n && (bottom & 3n) === 3n) turn();
    [top, bottom] = [bottom % top, top];
  }
  return bottom === 1n ? sign : 0;
}

function trailingZeros(value: bigint): number {
  let zeros = 0;
  let rest = value;
  let low = Number(BigInt.asUintN(32, rest));
  while (low === 0) {
    rest >>= 32n;
    zeros += 32;
    low = Number(BigInt.asUintN(32, rest));
  }
  return zeros + 31 - Math.clz32(low & -low);
}
