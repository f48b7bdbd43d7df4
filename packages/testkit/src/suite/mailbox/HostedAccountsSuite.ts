import * as ProviderFailure from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { assert, describe } from "@effect/vitest"
import { connectEmail } from "@leadloom/core/internal/workflow/mailbox/ConnectEmail"
import { disconnect } from "@leadloom/core/internal/workflow/mailbox/Disconnect"
import { catchUpMillis } from "@leadloom/core/internal/domain/email/MailJob"
import { finishSignIn } from "@leadloom/core/internal/workflow/mailbox/FinishSignIn"
import { signInMillis } from "@leadloom/core/internal/workflow/mailbox/OAuthSignIn"
import { startSignIn } from "@leadloom/core/internal/workflow/mailbox/StartSignIn"
import { receiveProviderEvent } from "@leadloom/core/internal/workflow/mailbox/ReceiveProviderEvent"
import { Jobs } from "@leadloom/core/internal/port/repository/webhook/Jobs"
import { Grants } from "@leadloom/core/internal/port/repository/conversation/Grants"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { acme, drainJobs, inTenant } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"
import { account, begin, hostedScenesOn, signIn, stateIn } from "./HostedWorld.ts"

/** Tests connecting and disconnecting hosted accounts on a store. */
export const hostedAccountsSuite = (name: string, store: StoreLayer): void => {
  const scene = hostedScenesOn(store)
  describe(`hosted accounts on ${name}`, () => {
    scene("a sign-in is valid once, for its tenant and principal, for ten minutes", () =>
      Effect.gen(function* () {
        yield* acme.open()
        yield* inTenant("other").open()
        const { url } = yield* startSignIn("acme", "user:jo", "google")
        const state = stateIn(url)
        assert.isAtLeast(state.length, 32)
        const refused = Effect.fnUntraced(function* (changes: object) {
          const error = yield* Effect.flip(finishSignIn({ ...begin, code: "good", state, ...changes }))
          return error._tag === "EmailRequestInvalid" ? error.issues[0]?.path : error._tag
        })
        assert.strictEqual(yield* refused({ tenantId: "other" }), "state")
        assert.strictEqual(yield* refused({ principal: "user:sam" }), "state")
        assert.strictEqual(yield* refused({ state: `${state}x` }), "state")
        const { grant } = yield* finishSignIn({ ...begin, code: "good", state })
        assert.deepInclude(grant, { provider: "google", email: "sales@acme.com", status: "active" })
        assert.strictEqual(yield* refused({}), "state")
        const late = stateIn((yield* startSignIn("acme", "user:jo", "google")).url)
        yield* TestClock.adjust(signInMillis)
        assert.strictEqual(yield* refused({ state: late }), "state")
        const failed = stateIn((yield* startSignIn("acme", "user:jo", "google")).url)
        assert.strictEqual(yield* refused({ state: failed, code: "bad" }), "code")
        assert.strictEqual(yield* refused({ state: failed }), "state")
      })
    )

    scene("a repeated sign-in keeps the grant, and another account is rejected", ({ mailbox: there }) =>
      Effect.gen(function* () {
        yield* acme.open()
        const first = yield* signIn
        yield* receiveProviderEvent({ _tag: "AccountExpired", providerGrantId: account.providerGrantId })
        yield* receiveProviderEvent({ _tag: "AccountExpired", providerGrantId: account.providerGrantId })
        const expired = yield* (yield* Grants).current("acme")
        assert.strictEqual(expired?.status, "expired")
        const expiries = (yield* acme.eventTypes()).filter((type) => type === "grant.expired")
        assert.strictEqual(expiries.length, 1)
        const again = yield* signIn
        assert.deepStrictEqual([again.grant.grantId, again.grant.status], [first.grant.grantId, "active"])
        there.codes.set("good", { ...account, email: "boss@acme.com", providerGrantId: "provider-grant-2" })
        assert.strictEqual((yield* Effect.flip(signIn))._tag, "ConnectionExists")
        assert.strictEqual((yield* (yield* Grants).current("acme"))?.email, "sales@acme.com")
      })
    )

    scene("an account that recovers at its provider recovers here", ({ mailbox: there }) =>
      Effect.gen(function* () {
        yield* acme.open()
        yield* signIn
        yield* receiveProviderEvent({ _tag: "AccountExpired", providerGrantId: account.providerGrantId })
        there.accounts.set(account.providerGrantId, { ...account, valid: false })
        yield* TestClock.adjust(catchUpMillis)
        yield* drainJobs
        assert.strictEqual((yield* (yield* Grants).current("acme"))?.status, "expired")
        there.accounts.set(account.providerGrantId, account)
        yield* receiveProviderEvent({ _tag: "AccountChanged", providerGrantId: account.providerGrantId })
        yield* drainJobs
        assert.strictEqual((yield* (yield* Grants).current("acme"))?.status, "active")
        there.failure = ProviderFailure.signedOut("mail", "the key is not known")
        yield* TestClock.adjust(catchUpMillis)
        yield* drainJobs
        assert.strictEqual((yield* (yield* Grants).current("acme"))?.status, "active")
      })
    )

    scene("a disconnect revokes the permission, unless the account is connected again by then", ({ mailbox: there }) =>
      Effect.gen(function* () {
        yield* acme.open()
        const first = yield* signIn
        yield* disconnect("acme", first.grant.grantId)
        const second = yield* signIn
        yield* drainJobs
        assert.deepStrictEqual(there.revoked, [])
        assert.notStrictEqual(second.grant.grantId, first.grant.grantId)
        yield* disconnect("acme", second.grant.grantId)
        there.failure = ProviderFailure.unavailable("mail", "away")
        yield* drainJobs
        there.failure = null
        yield* TestClock.adjust(catchUpMillis + 900_000)
        yield* drainJobs
        assert.deepStrictEqual(there.revoked, [account.providerGrantId])
        assert.strictEqual(yield* (yield* Jobs).backlog, 0)
        assert.strictEqual((yield* Effect.flip(disconnect("acme", first.grant.grantId)))._tag, "GrantNotFound")
      })
    )

    scene("an existing permission is connected by its id, if it belongs to the address", ({ mailbox: there }) =>
      Effect.gen(function* () {
        yield* acme.open()
        const connect = (providerGrantId: string | null, email = "Sales@acme.com") =>
          connectEmail("acme", { provider: "google", email, name: null, providerGrantId })
        const wrong = [
          connect(null),
          connect("sales@acme.com"),
          connect("provider-grant-9"),
          connect(account.providerGrantId, "boss@acme.com")
        ]
        for (const attempt of wrong) assert.strictEqual((yield* Effect.flip(attempt))._tag, "EmailRequestInvalid")
        const grant = yield* connect(account.providerGrantId)
        assert.deepInclude(grant, { email: "sales@acme.com", providerGrantId: account.providerGrantId })
        assert.strictEqual((yield* Effect.flip(connect(account.providerGrantId)))._tag, "ConnectionExists")
        assert.deepStrictEqual(there.revoked, [])
      })
    )
  })
}
