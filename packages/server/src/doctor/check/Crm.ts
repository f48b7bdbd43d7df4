import { probeHighLevel } from "@leadloom/connectors/highlevel/ProbeHighLevel"
import { Effect } from "effect"
import type { CrmAccess } from "../../config/CrmVariables.ts"
import type { Check } from "../Check.ts"
import { healthy, type Finding, problem, warning } from "../Finding.ts"

const judgeApp = (crm: CrmAccess, hide: (text: string) => string) =>
  Effect.map(probeHighLevel(crm), ({ app, reason }): Finding => {
    const said = hide(reason)
    switch (app) {
      case "known":
        return healthy(`${crm.apiUrl} answers, and knows the app ${crm.clientId}.`)
      case "unknown":
        return problem(
          `${crm.apiUrl} does not know the app ${crm.clientId} by this secret: ${said}`,
          "Set LEADLOOM_CRM_CLIENT_ID and LEADLOOM_CRM_CLIENT_SECRET as the marketplace shows them: docs/how-to/connect-a-crm.md"
        )
      case "unclear":
        return warning(
          `${crm.apiUrl} answers, and does not say whether it knows the app: ${said}`,
          "Install the app in a location of your own, to see whether it does."
        )
      case "unasked":
        return problem(
          `${crm.apiUrl} cannot be asked: ${said}`,
          "Correct LEADLOOM_CRM_API_URL, or wait until it answers."
        )
    }
  })

/** The marketplace of the CRM knows the app, and its provider events can be believed, where one is configured. */
export const crm: Check = {
  name: "crm",
  run: ({ config, hide }) =>
    Effect.gen(function* () {
      const access = config?.crm ?? null
      if (access === null) return [healthy("LEADLOOM_CRM_CLIENT_ID is not set: no location of a CRM can be connected.")]
      const app = yield* judgeApp(access, hide)
      if (access.webhookKeys.length > 0) return [app]
      const deaf = "LEADLOOM_CRM_WEBHOOK_PUBLIC_KEY is not set: what changes in the CRM is not taken."
      return [app, warning(deaf, "Set the marketplace's public key: docs/how-to/connect-a-crm.md")]
    })
}
