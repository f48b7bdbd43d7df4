import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto"
import { UnsealFailed, Vault } from "@leadloom/core/port/system/Vault"
import { Effect, Layer } from "effect"

interface VaultKey {
  readonly id: string
  readonly bytes: Buffer
}

const algorithm = "aes-256-gcm"
/** NIST SP 800-38D section 8.2.2: 96 random bits for each seal. */
const ivBytes = 12
const tagBytes = 16

/**
 * FROZEN: secrets are kept under it. The key of a secret key or vault key: SHA-256 over a label and that key, which is
 * long and random, so that it needs no stretching; its id is made under another label and tells nothing of it. Both are
 * made alike, so that a secret key that was changed opens as a vault key what it sealed.
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
 * Seals with AES-256-GCM under the first of the vault keys, or under the deployment's secret key where there are none.
 * What was sealed under any of them, or under the secret key, opens.
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
          return Effect.fail(new UnsealFailed({ reason: `sealed under a key that is not known here (${id})` }))
        return Effect.try({
          try: () => openWith(key, text, place),
          catch: () => new UnsealFailed({ reason: "changed since, or sealed for another place" })
        })
      }),
    isOld: (sealed) => !sealed.startsWith(`v1.${current.id}.`),
    keys: [current.id, ...others.map(({ id }) => id)]
  })
}
