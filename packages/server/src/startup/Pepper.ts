import { createHash } from "node:crypto"

/**
 * FROZEN: stored hashes of credentials and signatures of cursors depend on it. Derives the pepper from a secret key:
 * SHA-256 over a label and the key, so that other labels can derive other keys.
 */
export const pepperOf = (secretKey: string): Uint8Array =>
  createHash("sha256").update(`leadloom/pepper/1\n${secretKey}`, "utf8").digest()
