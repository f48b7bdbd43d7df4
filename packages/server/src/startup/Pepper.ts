import { createHash } from "node:crypto"

/**
 * FROZEN, because stored hashes of credentials and signatures of cursors depend on it. Derives the pepper: SHA-256 over
 * a label and the secret key. Further keys can be derived with other labels.
 */
export const pepperOf = (secretKey: string): Uint8Array =>
  createHash("sha256").update(`leadloom/pepper/1\n${secretKey}`, "utf8").digest()
