import { type Credential, mintCredential, parseCredential } from "./Credential.ts"

/** What every source key begins with. */
export const sourceKeyScheme = "lls"

/** A new source key from a cryptographically strong random source. */
export const mintSourceKey = (randomBytes: (length: number) => Uint8Array): Credential =>
  mintCredential(sourceKeyScheme, randomBytes)

/** Reads a source key; null when the text has not its form. */
export const parseSourceKey = (text: string): Credential | null => parseCredential(sourceKeyScheme, text)
