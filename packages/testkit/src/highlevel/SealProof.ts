import { createCipheriv, createHash, randomBytes } from "node:crypto"

/**
 * Encrypts a text in the same way as `CryptoJS.AES.encrypt(text, secret).toString()`, which HighLevel uses for embedded
 * pages.
 */
export const sealProof = (text: string, secret: string, salt = randomBytes(8)): string => {
  const md5 = (...parts: ReadonlyArray<Buffer>) => createHash("md5").update(Buffer.concat(parts)).digest()
  const tail = Buffer.concat([Buffer.from(secret, "utf8"), salt])
  const one = md5(tail)
  const two = md5(one, tail)
  const vector = md5(two, tail)
  const cipher = createCipheriv("aes-256-cbc", Buffer.concat([one, two]), vector)
  return Buffer.concat([Buffer.from("Salted__"), salt, cipher.update(text, "utf8"), cipher.final()]).toString("base64")
}

/** Returns the proof of a user in a location; for null, the proof of an agency user. */
export const proofOf = (activeLocation: string | null, secret: string): string =>
  sealProof(
    JSON.stringify({
      userId: "ve9EPM428h8vShlRW1KT",
      companyId: "5DP4iH6HLkQsiKESj6rh",
      role: "user",
      type: activeLocation === null ? "agency" : "account",
      ...(activeLocation === null ? {} : { activeLocation }),
      userName: "Jane Miller",
      email: "jane@agency.example"
    }),
    secret
  )
