// The `Vault` port with Node.js: encryption of secrets that must be used again. Tests:
// `packages/connectors/test/vault`.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto"
import { UnsealFailed, Vault } from "@leadloom/core/internal/port/system/Vault"
import { Effect, Layer } from "effect"

interface VaultKey {
  readonly id: string
  readonly bytes: Buffer
}

const algorithm = "aes-256-gcm"
/** NIST SP 800-38D section 8.2.2: 96 random bits per encryption. */
const ivBytes = 12
const tagBytes = 16

/**
 * FROZEN, because stored secrets depend on it. Derives an encryption key: SHA-256 over a label and a secret key or
 * vault key. The input is long and random, so it needs no key stretching. The id is derived with another label and
 * reveals nothing about the key. Secret keys and vault keys use the same derivation: when the secret key is replaced,
 * the old one can be configured as a vault key to decrypt older data.
 */
const keyOf = (secretKey: string): VaultKey => ({
  id: createHash("sha256").update(`leadloom/vault-id/1\n${secretKey}`, "utf8").digest("hex").slice(0, 8),
  bytes: createHash("sha256").update(`leadloom/vault/1\n${secretKey}`, "utf8").digest()
})

/** FROZEN: `v1.<key id>.<iv, ciphertext and tag in base64url>`. */
const sealWith = ({ bytes, id }: VaultKey, secret: string, place: string): string => {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv(algorithm, bytes, iv, { authTagLength: tagBytes }).setAAD(Buffer.from(place, "utf8"))
  const sealed = Buffer.concat([iv, cipher.update(secret, "utf8"), cipher.final(), cipher.getAuthTag()])
  return `v1.${id}.${sealed.toString("base64url")}`
}

const openWith = ({ bytes }: VaultKey, text: string, place: string): string => {
  const sealed = Buffer.from(text, "base64url")
  const decipher = createDecipheriv(algorithm, bytes, sealed.subarray(0, ivBytes), { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(place, "utf8")).setAuthTag(sealed.subarray(-tagBytes))
  return decipher.update(sealed.subarray(ivBytes, -tagBytes), undefined, "utf8") + decipher.final("utf8")
}

/**
 * Encrypts with AES-256-GCM under the first vault key; without vault keys, under the deployment's secret key. Decrypts
 * secrets that any of these keys encrypted.
 */
export const layer = (secretKey: string, vaultKeys: ReadonlyArray<string> = []): Layer.Layer<Vault> => {
  const others = [...vaultKeys.slice(1), ...(vaultKeys.length === 0 ? [] : [secretKey])].map(keyOf)
  const current = keyOf(vaultKeys[0] ?? secretKey)
  const keys = new Map([current, ...others].map((key) => [key.id, key]))
  return Layer.succeed(Vault, {
    seal: (secret, place) => sealWith(current, secret, place),
    open: (sealed, place) =>
      Effect.suspend(() => {
        const [version, id = "", text = ""] = sealed.split(".")
        const key = keys.get(id)
        if (version !== "v1" || key === undefined)
          return Effect.fail(
            new UnsealFailed({ reason: `encrypted with an unknown key (${id}). Add the former key to the vault keys.` })
          )
        return Effect.try({
          try: () => openWith(key, text, place),
          catch: () => new UnsealFailed({ reason: "modified after encryption, or copied from another record" })
        })
      }),
    isOld: (sealed) => !sealed.startsWith(`v1.${current.id}.`),
    keys: [current.id, ...others.map(({ id }) => id)]
  })
}
