import { createHash } from "node:crypto"

/**
 * FROZEN: hashes of credentials and seals of cursors are kept under it. The pepper of a secret key: SHA-256 over a label
 * and the key, so that the key itself may serve other purposes under other labels.
 */
export const pepperOf = (secretKey: string): Uint8Array =>
  createHash("sha256").update(`leadloom/pepper/1\n${secretKey}`, "utf8").digest()
