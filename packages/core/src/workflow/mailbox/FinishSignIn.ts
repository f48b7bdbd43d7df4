import { Clock, Effect } from "effect"
import { HostedMail } from "../../port/provider/HostedMail.ts"
import { Ids } from "../../port/system/Ids.ts"
import { SignIns } from "../../port/repository/conversation/Grants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { EmailRequestInvalid } from "../../domain/email/Grant.ts"
import { connectAccount } from "./ConnectAccount.ts"
import { hashState } from "./StartSignIn.ts"

/** What the owner of an account came back with, and who brings it. */
export interface AuthorizationCallback {
  readonly tenantId: string
  readonly principal: string
  readonly code: string
  readonly state: string
}

const stateInvalid = new EmailRequestInvalid({
  issues: [
    {
      path: "state",
      message: "This sign-in is unknown here, used or older than ten minutes. Begin again: GET …/email/auth-url"
    }
  ]
})

const codeInvalid = (reason: string) =>
  new EmailRequestInvalid({
    issues: [
      {
        path: "code",
        message: `The provider did not take this code: ${reason}. Begin again: GET …/email/auth-url`
      }
    ]
  })

/**
 * Connects the account that its owner has let this server into; signing in again keeps the grant. The sign-in is used up
 * before the code is exchanged: a code that failed is good for nothing any more, and the way begins again.
 */
export const finishSignIn = Effect.fn("finishSignIn")(function* ({
  code,
  principal,
  state,
  tenantId
}: AuthorizationCallback) {
  const hosted = yield* HostedMail
  yield* hosted.configured
  const now = yield* Clock.currentTimeMillis
  const signIn = { tenantId, principal, stateHash: hashState(state) }
  const ended = yield* (yield* Transactions).atomically(
    tenantId,
    Effect.flatMap(SignIns, (signIns) => signIns.end(signIn, now))
  )
  if (!ended) return yield* stateInvalid
  const account = yield* hosted.exchange(code).pipe(
    Effect.catchTags({
      HostedGone: () => codeInvalid("it is not known there"),
      HostedRefused: ({ reason }) => codeInvalid(reason)
    })
  )
  const grantId = yield* (yield* Ids).next("grant")
  return yield* (yield* Transactions).atomically(tenantId, connectAccount(tenantId, account, grantId, null))
})
