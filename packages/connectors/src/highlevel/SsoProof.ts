import { createDecipheriv, createHash } from "node:crypto"
import { CrmProofs, type CrmVisitor, ProofInvalid } from "@leadloom/core/internal/port/provider/CrmProofs"
import { Effect, Layer, Redacted } from "effect"

/** The prefix that OpenSSL and CryptoJS write before a ciphertext whose key is derived from a passphrase. */
const magic = Buffer.from("Salted__", "latin1")
const saltBytes = 8
const blockBytes = 16
/** AES-256 in CBC mode: a key of 32 bytes and an initialisation vector of 16 bytes. */
const keyBytes = 32
/** The maximum length of a proof in characters. HighLevel's proofs have a few hundred. */
const maxBytes = 4_096

/** Derives key and initialisation vector like CryptoJS: `EVP_BytesToKey` of OpenSSL with MD5 and one round. */
const keyAndVector = (passphrase: string, salt: Buffer): Buffer => {
  const secret = Buffer.from(passphrase, "utf8")
  let made = Buffer.alloc(0)
  for (let last = made; made.length < keyBytes + blockBytes; made = Buffer.concat([made, last])) {
    last = createHash("md5").update(last).update(secret).update(salt).digest()
  }
  return made
}

/** Decrypts a proof. Throws an error of `node:crypto` when the secret is wrong. */
const decrypt = (sealed: Buffer, secret: string): string => {
  const salt = sealed.subarray(magic.length, magic.length + saltBytes)
  const made = keyAndVector(secret, salt)
  const vector = made.subarray(keyBytes, keyBytes + blockBytes)
  const decipher = createDecipheriv("aes-256-cbc", made.subarray(0, keyBytes), vector)
  const text = Buffer.concat([decipher.update(sealed.subarray(magic.length + saltBytes)), decipher.final()])
  // CBC does not detect changed blocks, but a changed block decrypts to noise, which is almost never valid UTF-8.
  return new TextDecoder("utf-8", { fatal: true }).decode(text)
}

const visitorOf = (json: unknown): CrmVisitor | null => {
  if (typeof json !== "object" || json === null || !("userId" in json)) return null
  const { userId } = json
  const activeLocation = "activeLocation" in json ? json.activeLocation : null
  if (typeof userId !== "string" || userId === "") return null
  if (activeLocation === undefined || activeLocation === null || activeLocation === "") {
    return { userId, activeLocation: null }
  }
  return typeof activeLocation === "string" ? { userId, activeLocation } : null
}

/**
 * Reads the user data that HighLevel passes to an embedded page (`REQUEST_USER_DATA`): base64 of a CryptoJS AES
 * ciphertext under the app's shared secret. The data contains no time, so it stays valid until the secret changes. Null
 * when the secret does not match.
 */
export const readSsoProof = (proof: string, secret: string): CrmVisitor | null => {
  if (proof.length > maxBytes || !/^[A-Za-z0-9+/]+={0,2}$/u.test(proof)) return null
  const sealed = Buffer.from(proof, "base64")
  const cipherBytes = sealed.length - magic.length - saltBytes
  if (cipherBytes <= 0 || cipherBytes % blockBytes !== 0 || !sealed.subarray(0, magic.length).equals(magic)) return null
  try {
    return visitorOf(JSON.parse(decrypt(sealed, secret)))
  } catch {
    return null
  }
}

/** Verifies HighLevel's proofs with the app's shared secret. */
export const layer = (secret: Redacted.Redacted): Layer.Layer<CrmProofs> =>
  Layer.succeed(CrmProofs, {
    open: (proof) =>
      Effect.suspend(() => {
        const visitor = readSsoProof(proof, Redacted.value(secret))
        return visitor === null ? Effect.fail(new ProofInvalid()) : Effect.succeed(visitor)
      })
  })
