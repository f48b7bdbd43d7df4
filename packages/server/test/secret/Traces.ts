/** Something that must be nowhere but where it belongs, and what it is called. */
export type Named = readonly [name: string, secret: string]

/** So much of a long secret gives it away; less is what lists show of a key. */
const telling = 24

/** A text in base64 wherever it begins among other bytes, without what its neighbours have a part in. */
const inBase64 = (text: string): ReadonlyArray<string> =>
  [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)])
    return bytes.toString("base64").slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6))
  })

/** A secret in the spellings that it may hide in. */
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

/** The names of the secrets that a text holds, as they are or in the encodings that they may hide in. */
export const heldIn = (secrets: ReadonlyArray<Named>, text: string): ReadonlyArray<string> => [
  ...new Set(
    secrets.filter(([, secret]) => spellings(secret).some((spelled) => text.includes(spelled))).map(([name]) => name)
  )
]
