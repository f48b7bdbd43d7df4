/** Decoding of Content-Transfer-Encoding (RFC 2045 section 6). It is lenient: invalid input stays unchanged. */

const hex = (byte: number): number => {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const upper = byte & 0xdf
  return upper >= 0x41 && upper <= 0x46 ? upper - 0x37 : -1
}

/**
 * Returns the start of the next line after a soft line break at `from` (`=`, optional blanks, a line end). Returns -1
 * when there is no soft line break.
 */
const afterSoftBreak = (bytes: Buffer, from: number): number => {
  let i = from
  while (bytes[i] === 0x20 || bytes[i] === 0x09) i++
  if (i >= bytes.length) return i
  if (bytes[i] === 0x0a) return i + 1
  if (bytes[i] !== 0x0d) return -1
  return bytes[i + 1] === 0x0a ? i + 2 : i + 1
}

/** Decodes quoted-printable, up to `limit` bytes of output. */
export const decodeQuotedPrintable = (bytes: Buffer, limit: number = bytes.length): Buffer => {
  const out = Buffer.allocUnsafe(Math.min(bytes.length, limit))
  let length = 0
  for (let i = 0; i < bytes.length && length < out.length; i++) {
    const byte = bytes[i] ?? 0
    if (byte !== 0x3d) {
      out[length++] = byte
      continue
    }
    const high = hex(bytes[i + 1] ?? 0)
    const low = hex(bytes[i + 2] ?? 0)
    if (high >= 0 && low >= 0) {
      out[length++] = (high << 4) | low
      i += 2
      continue
    }
    const next = afterSoftBreak(bytes, i + 1)
    if (next >= 0) i = next - 1
    else out[length++] = byte
  }
  return out.subarray(0, length)
}

const base64Values = ((): Int8Array => {
  const values = new Int8Array(256).fill(-1)
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
  for (let i = 0; i < alphabet.length; i++) values[alphabet.charCodeAt(i)] = i
  return values
})()

/**
 * Decodes base64 with padding in the middle, which mailers write that encode each line separately. Every `=` ends such
 * a separate part.
 */
const decodePadded = (bytes: Buffer, limit: number): Buffer => {
  const out = Buffer.allocUnsafe(Math.min(limit, Math.ceil(bytes.length * 0.75)))
  let length = 0
  let bits = 0
  let held = 0
  for (let i = 0; i < bytes.length && length < out.length; i++) {
    const byte = bytes[i] ?? 0
    const value = base64Values[byte] ?? -1
    if (byte === 0x3d) held = 0
    if (value < 0) continue
    bits = ((bits << 6) | value) & 0xffff
    held += 6
    if (held < 8) continue
    held -= 8
    out[length++] = (bits >> held) & 0xff
  }
  return out.subarray(0, length)
}

/** Decodes base64. Characters outside its alphabet are skipped (RFC 2045 section 6.8). */
export const decodeBase64 = (bytes: Buffer, limit: number = bytes.length): Buffer => {
  // A line of 76 characters decodes to 57 bytes. Input of twice the limit is therefore always enough, even with line
  // ends.
  const input = bytes.subarray(0, Math.min(bytes.length, limit * 2 + 1024))
  const padding = input.indexOf(0x3d)
  const paddedInside = padding >= 0 && input.subarray(padding).some((byte) => (base64Values[byte] ?? -1) >= 0)
  if (paddedInside) return decodePadded(input, limit)
  return Buffer.from(input.toString("latin1"), "base64").subarray(0, limit)
}

/** Returns the size of the decoded body in bytes, without decoding base64. */
export const decodedSize = (bytes: Buffer, encoding: string): number => {
  if (encoding !== "base64") return decodeTransfer(bytes, encoding).length
  let size = 0
  let held = 0
  // The loop uses an index, because an iterator takes four times as long: 0.2 s for 25 MB.
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0
    if (byte === 0x3d) held = 0
    if ((base64Values[byte] ?? -1) < 0) continue
    held += 6
    if (held < 8) continue
    held -= 8
    size++
  }
  return size
}

/** Decodes a body by the name of its encoding. An unknown encoding leaves the bytes unchanged. */
export const decodeTransfer = (bytes: Buffer, encoding: string, limit: number = bytes.length): Buffer => {
  if (encoding === "base64") return decodeBase64(bytes, limit)
  if (encoding === "quoted-printable") return decodeQuotedPrintable(bytes, limit)
  return bytes.subarray(0, limit)
}
