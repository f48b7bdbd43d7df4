import { probeHighLevel } from "@leadloom/connectors/internal/highlevel/ProbeHighLevel"
import { Effect } from "effect"
import type { CrmAccess } from "../../config/CrmVariables.ts"
import type { Check } from "../Check.ts"
import { healthy, type Finding, problem, warning } from "../Finding.ts"

const judgeApp = (crm: CrmAccess, hide: (text: string) => string) =>
  Effect.map(probeHighLevel(crm), ({ app, reason }): Finding => {
    const said = hide(reason)
    switch (app) {
      case "known":
        return healthy(`${crm.apiUrl} answers and accepts the credentials of the app ${crm.clientId}.`)
      case "unknown":
        return problem(
          `${crm.apiUrl} rejects the credentials of the app ${crm.clientId}: ${said}`,
          "Set LEADLOOM_CRM_CLIENT_ID and LEADLOOM_CRM_CLIENT_SECRET as the marketplace shows them: docs/how-to/connect-a-crm.md"
        )
      case "unclear":
        return warning(
          `${crm.apiUrl} answers, but the response does not show whether the credentials are valid: ${said}`,
          "Install the app in a location of your own to test the credentials."
        )
      case "unasked":
        return problem(
          `${crm.apiUrl} does not answer: ${said}`,
          "Correct LEADLOOM_CRM_API_URL, or wait until the CRM answers."
        )
    }
  })

/** Checks that the marketplace accepts the app's credentials and that webhooks can be verified. */
export const crm: Check = {
  name: "crm",
  run: ({ config, hide }) =>
    Effect.gen(function* () {
      const access = config?.crm ?? null
      if (access === null) return [healthy("LEADLOOM_CRM_CLIENT_ID is not set: no location of a CRM can be connected.")]
      const app = yield* judgeApp(access, hide)
      if (access.webhookKeys.length > 0) return [app]
      const deaf = "LEADLOOM_CRM_WEBHOOK_PUBLIC_KEY is not set: webhooks of the CRM are rejected."
      return [app, warning(deaf, "Set the marketplace's public key: docs/how-to/connect-a-crm.md")]
    })
}
