import type { Variables } from "./Variables.ts"

/** The new one, the old one, and some that backups may be sealed under. */
const mostVaultKeys = 8

/** As long as the key that is made of it: 256 bits, were every character a byte. */
const shortestVaultKey = 32

/** The keys under which secrets are kept, the first one seals; none: the secret key does. */
export const readVaultKeys = ({ list, wrong }: Variables): ReadonlyArray<string> => {
  const keys = list("LEADLOOM_VAULT_KEYS", mostVaultKeys)
  if (keys.every((key) => key.length >= shortestVaultKey)) return keys
  return wrong(
    "LEADLOOM_VAULT_KEYS",
    `has a key that is too short: each needs at least ${shortestVaultKey} characters, e.g. from: openssl rand -hex 32`,
    keys
  )
}
