import { Redacted } from "effect"
import type { Variables } from "./Variables.ts"

/** The secrets that authenticate requests from a CRM and its users. */
export interface CrmCallers {
  /**
   * The secret that decrypts the user proofs that the CRM passes to embedded pages. If it is null, proofs are rejected.
   */
  readonly ssoSecret: Redacted.Redacted | null
  /**
   * The accepted values of `X-Workflow-Secret`, newest first. If the list is empty, workflow actions require an API key
   * of the tenant or the admin key.
   */
  readonly actionSecrets: ReadonlyArray<Redacted.Redacted>
}

/** The maximum number of workflow secrets. A rotation needs two; a longer list is probably a mistake. */
const maxActionSecrets = 8

const readActionSecrets = ({ ownSecrets, wrong }: Variables): ReadonlyArray<Redacted.Redacted> => {
  const secrets = ownSecrets("LEADLOOM_CRM_ACTION_SECRET", maxActionSecrets)
  if (secrets.some((secret) => !/^[\x21-\x7e]+$/u.test(secret))) {
    const should = "contains characters that are invalid in a header. Use letters, digits and punctuation."
    return wrong("LEADLOOM_CRM_ACTION_SECRET", should, [])
  }
  return secrets.map((secret) => Redacted.make(secret))
}

/** Reads the secrets that authenticate CRM requests. */
export const readCrmCallers = (variables: Variables): CrmCallers => {
  const ssoSecret = variables.secret("LEADLOOM_CRM_SSO_SECRET")
  return {
    ssoSecret: ssoSecret === null ? null : Redacted.make(ssoSecret),
    actionSecrets: readActionSecrets(variables)
  }
}
