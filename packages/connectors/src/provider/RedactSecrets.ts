/** Returns the encodings of a secret in headers, forms and queries. */
const spellingsOf = (secret: string): ReadonlyArray<string> => [
  secret,
  encodeURIComponent(secret.toWellFormed()),
  JSON.stringify(secret).slice(1, -1),
  Buffer.from(secret).toString("base64")
]

/**
 * Removes secrets from a text of another server. Servers may repeat parts of a request, and their texts appear in logs
 * and timelines. Call it before truncating a text: a truncated secret would not be recognised.
 */
export const redactSecrets = (secrets: ReadonlyArray<string>, text: string): string =>
  [...new Set(secrets.filter((secret) => secret !== "").flatMap(spellingsOf))]
    // Longer encodings are removed first, because one may contain another.
    .toSorted((one, other) => other.length - one.length)
    .reduce((clean, spelled) => clean.replaceAll(spelled, "[secret]"), text)
