import { Redacted } from "effect"
import type { Variables } from "./Variables.ts"

/** By what a CRM and its users prove themselves when they call this server. */
export interface CrmCallers {
  /** Seals what the CRM says of its users to the pages that it embeds; null: nothing of that is believed. */
  readonly ssoSecret: Redacted.Redacted | null
  /** What workflow actions carry, the newest first; empty: they need a key of the tenant or of the operator. */
  readonly actionSecrets: ReadonlyArray<Redacted.Redacted>
}

/** Any number would do; more than a few are a mistake. */
const maxActionSecrets = 8

const readActionSecrets = ({ ownSecrets, wrong }: Variables): ReadonlyArray<Redacted.Redacted> => {
  const secrets = ownSecrets("LEADLOOM_CRM_ACTION_SECRET", maxActionSecrets)
  if (secrets.some((secret) => !/^[\x21-\x7e]+$/u.test(secret))) {
    const should = "has characters that cannot travel in a header: use letters, digits and punctuation."
    return wrong("LEADLOOM_CRM_ACTION_SECRET", should, [])
  }
  return secrets.map((secret) => Redacted.make(secret))
}

/** The secrets of who calls from a CRM. */
export const readCrmCallers = (variables: Variables): CrmCallers => {
  const ssoSecret = variables.secret("LEADLOOM_CRM_SSO_SECRET")
  return {
    ssoSecret: ssoSecret === null ? null : Redacted.make(ssoSecret),
    actionSecrets: readActionSecrets(variables)
  }
}
