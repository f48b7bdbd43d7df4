/** A secret as headers, forms and queries spell it. */
const spellingsOf = (secret: string): ReadonlyArray<string> => [
  secret,
  encodeURIComponent(secret.toWellFormed()),
  JSON.stringify(secret).slice(1, -1),
  Buffer.from(secret).toString("base64")
]

/**
 * What somebody else says, without the secrets that he was shown: servers echo what they do not understand, and what they
 * say goes into logs and timelines. Cut a text after this and never before it: half a secret is not recognised.
 */
export const redactSecrets = (secrets: ReadonlyArray<string>, text: string): string =>
  [...new Set(secrets.filter((secret) => secret !== "").flatMap(spellingsOf))]
    // The longer first: one may be a part of the other.
    .toSorted((one, other) => other.length - one.length)
    .reduce((clean, spelled) => clean.replaceAll(spelled, "[secret]"), text)
