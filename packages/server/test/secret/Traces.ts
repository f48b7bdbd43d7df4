/** A secret with its name. */
export type Named = readonly [name: string, secret: string]

/** Characters of a long secret that reveal it. Lists show shorter prefixes of keys. */
const telling = 24

/** Returns the base64 of a text at each offset between other bytes, without characters that depend on neighbours. */
const inBase64 = (text: string): ReadonlyArray<string> =>
  [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)])
    return bytes.toString("base64").slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6))
  })

/** Returns the encodings of a secret in which it might appear. */
const spellings = (secret: string): ReadonlyArray<string> => {
  const part = secret.slice(0, telling)
  const base64 = inBase64(part)
  return [
    part,
    encodeURIComponent(part),
    JSON.stringify(part).slice(1, -1),
    Buffer.from(part).toString("hex"),
    ...base64,
    ...base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"))
  ]
}

/** Returns the names of the secrets in a text, plain or encoded. */
export const heldIn = (secrets: ReadonlyArray<Named>, text: string): ReadonlyArray<string> => [
  ...new Set(
    secrets.filter(([, secret]) => spellings(secret).some((spelled) => text.includes(spelled))).map(([name]) => name)
  )
]
