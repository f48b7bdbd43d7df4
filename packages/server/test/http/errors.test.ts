import { ConversationNotFound } from "@leadloom/core/internal/domain/conversation/Conversation"
import { UsageCapReached } from "@leadloom/core/internal/workflow/billing/Usage"
import { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { TenantNotFound } from "@leadloom/core/internal/domain/tenant/Tenant"
import { Data, Effect, Logger } from "effect"
import { HttpServerRequest } from "effect/http"
import { describe, expect, expectTypeOf, it } from "vitest"
import type { NotFound, ServiceUnavailable } from "@leadloom/api/internal/errors"
import { answer } from "../../src/http/error/errors.ts"

const request = HttpServerRequest.fromWeb(new Request("http://leadloom.test/"))
const wireOf = <E>(effect: Effect.Effect<never, E, HttpServerRequest.HttpServerRequest>): Promise<E> =>
  Effect.flip(effect).pipe(
    Effect.provideService(HttpServerRequest.HttpServerRequest, request),
    Effect.provide(Logger.layer([])),
    Effect.runPromise
  )

describe("the table from domain to wire errors", () => {
  it("maps an error with its row and infers its type", async () => {
    const error = answer(Effect.fail(new TenantNotFound({ tenantId: "acme" })))
    expectTypeOf(error).toEqualTypeOf<Effect.Effect<never, NotFound, HttpServerRequest.HttpServerRequest>>()
    expect(await wireOf(error)).toMatchObject({ error: { code: "NOT_FOUND", message: "There is no tenant acme." } })
  })

  it("distinguishes several errors", () => {
    const both = Effect.andThen(
      Effect.fail(new ConversationNotFound({ contactId: "con_1" })),
      Effect.fail(new StoreUnavailable({ reason: "" }))
    )
    type Both = Effect.Effect<never, NotFound | ServiceUnavailable, HttpServerRequest.HttpServerRequest>
    expectTypeOf(answer(both)).toEqualTypeOf<Both>()
  })

  it("does not compile for an error without a row", () => {
    class Unheard extends Data.TaggedError("Unheard")<{}> {}
    // @ts-expect-error the table has no row for it
    expect(() => answer(Effect.fail(new Unheard()))).not.toThrow()
  })

  it("names the kind of a usage cap", async () => {
    const code = async (kind: "actions" | "ai_calls") =>
      (await wireOf(answer(Effect.fail(new UsageCapReached({ kind, cap: 5 }))))).error.code
    expect([await code("actions"), await code("ai_calls")]).toEqual(["USAGE_LIMIT_REACHED", "AI_LIMIT_REACHED"])
  })

  it("does not reveal the reason of the store", async () => {
    const error = await wireOf(answer(Effect.fail(new StoreUnavailable({ reason: "disk of hunter2" }))))
    expect(JSON.stringify(error)).not.toContain("hunter2")
  })
})
