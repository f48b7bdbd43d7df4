import type { Variables } from "./Variables.ts"

/** The new one, the old one, and some that backups may be sealed under. */
const maxVaultKeys = 8

/** The keys under which secrets are kept, the first one seals; none: the secret key does. */
export const readVaultKeys = ({ ownSecrets }: Variables): ReadonlyArray<string> =>
  ownSecrets("LEADLOOM_VAULT_KEYS", maxVaultKeys)
