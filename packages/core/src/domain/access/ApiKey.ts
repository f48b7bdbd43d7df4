import { type Credential, mintCredential, parseCredential } from "./Credential.ts"

/** What every tenant API key begins with. */
export const apiKeyScheme = "llk"

/** A new tenant API key from a cryptographically strong random source. */
export const mintApiKey = (randomBytes: (length: number) => Uint8Array): Credential =>
  mintCredential(apiKeyScheme, randomBytes)

/** Reads a tenant API key; null when the text has not its form. */
export const parseApiKey = (text: string): Credential | null => parseCredential(apiKeyScheme, text)
