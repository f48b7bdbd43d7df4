import { Clock, Effect } from "effect"
import { HostedMail } from "../../port/provider/HostedMail.ts"
import { OAuthProviders } from "../../port/provider/OAuthProviders.ts"
import { Ids } from "../../port/system/Ids.ts"
import { SignIns } from "../../port/repository/conversation/Grants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { EmailRequestInvalid } from "../../domain/email/Grant.ts"
import { connectAccount } from "./ConnectAccount.ts"
import { finishOAuth, hashState } from "./OAuthSignIn.ts"
import { withSpan } from "../WithSpan.ts"

/** The parameters of the authorisation callback and its caller. */
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
      message: "This sign-in is unknown, already used, or older than ten minutes. Start again: GET …/email/auth-url"
    }
  ]
})

const codeInvalid = (reason: string) =>
  new EmailRequestInvalid({
    issues: [
      {
        path: "code",
        message: `The provider rejected this code: ${reason}. Start again: GET …/email/auth-url`
      }
    ]
  })

/**
 * Completes a sign-in, and connects the account that its owner has authorised. A later sign-in to the same account
 * keeps the grant. The state is consumed before the code is exchanged, because a code cannot be used again after a
 * failure.
 */
export const finishSignIn = Effect.fnUntraced(function* ({ code, principal, state, tenantId }: AuthorizationCallback) {
  const hosted = yield* HostedMail
  if ((yield* OAuthProviders).providers.length === 0) yield* hosted.configured
  const now = yield* Clock.currentTimeMillis
  const signIn = { tenantId, principal, stateHash: hashState(state) }
  const ended = yield* (yield* Transactions).atomically(
    tenantId,
    Effect.flatMap(SignIns, (signIns) => signIns.end(signIn, now))
  )
  if (ended === null) return yield* stateInvalid
  if (ended.sealed !== null) {
    const finished = finishOAuth({ ...signIn, sealed: ended.sealed, code })
    return yield* finished.pipe(
      Effect.catchReason("ProviderFailure", "Refused", ({ detail }) => Effect.fail(codeInvalid(detail))),
      Effect.catchTag("UnsealFailed", () => Effect.fail(stateInvalid))
    )
  }
  const account = yield* hosted.exchange(code).pipe(
    Effect.catchReasons("ProviderFailure", {
      Gone: () => codeInvalid("the code is unknown"),
      Refused: ({ detail }) => codeInvalid(detail)
    })
  )
  const grantId = yield* (yield* Ids).next("grant")
  return yield* (yield* Transactions).atomically(tenantId, connectAccount(tenantId, account, grantId, null))
}, withSpan("finishSignIn"))
