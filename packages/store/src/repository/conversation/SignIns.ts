import { SignIn } from "@leadloom/core/internal/domain/email/Grant"
import { SignIns } from "@leadloom/core/internal/port/repository/conversation/Grants"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { table } from "../../sql/Table.ts"

const signIns = table(SignIn, { name: "sign_ins", key: ["tenantId", "stateHash"] })

/** Stores pending sign-ins in SQL. */
export const layer: Layer.Layer<SignIns, never, Database> = Layer.effect(
  SignIns,
  Effect.map(Database, ({ command, query, whole }) => {
    const forget = command("DELETE FROM sign_ins WHERE tenant_id = ? AND expires_at <= ?")
    const insert = command(signIns.insert)
    const end = query(
      `DELETE FROM sign_ins WHERE tenant_id = ? AND state_hash = ? AND principal = ? AND expires_at > ?
        RETURNING state_hash`
    )
    return SignIns.of({
      begin: (signIn, now) => whole(Effect.andThen(forget(signIn.tenantId, now), insert(...signIns.values(signIn)))),
      end: ({ principal, stateHash, tenantId }, now) =>
        Effect.map(end(tenantId, stateHash, principal, now), (rows) => rows.length > 0)
    })
  })
)
