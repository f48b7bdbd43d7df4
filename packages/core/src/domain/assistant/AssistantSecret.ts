import { type Credential, mintCredential, parseCredential } from "../access/Credential.ts"

/** What every assistant secret begins with. */
export const assistantSecretScheme = "lla"

/** A new assistant secret from a cryptographically strong random source. */
export const mintAssistantSecret = (randomBytes: (length: number) => Uint8Array): Credential =>
  mintCredential(assistantSecretScheme, randomBytes)

/** Reads an assistant secret; null when the text has not its form. */
export const parseAssistantSecret = (text: string): Credential | null => parseCredential(assistantSecretScheme, text)
