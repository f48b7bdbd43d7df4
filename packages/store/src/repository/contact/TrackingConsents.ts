import { TrackingConsent } from "@leadloom/core/internal/domain/consent/TrackingConsent"
import { TrackingConsents } from "@leadloom/core/internal/port/repository/contact/TrackingConsents"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { table } from "../../sql/Table.ts"

const consents = table(TrackingConsent, { name: "tracking_consents", key: ["tenantId", "email"] })

/** Stores consents to the recording of opened links in SQL. */
export const layer: Layer.Layer<TrackingConsents, never, Database> = Layer.effect(
  TrackingConsents,
  Effect.map(Database, ({ command, isOneOf, query }) => {
    const { one } = consents.reading({ query })
    const of = one(
      `SELECT ${consents.columns} FROM tracking_consents WHERE tenant_id = ? AND ${isOneOf("email")}
        ORDER BY changed_at DESC LIMIT 1`
    )
    const save = command(
      `${consents.insert} ON CONFLICT (tenant_id, email) DO UPDATE SET opted_out = excluded.opted_out,
        source = excluded.source, changed_at = excluded.changed_at, history = excluded.history,
        evidence = excluded.evidence`
    )
    return TrackingConsents.of({
      of: (tenantId, emails) => of(tenantId, JSON.stringify(emails)),
      save: (consent) => save(...consents.values(consent))
    })
  })
)
