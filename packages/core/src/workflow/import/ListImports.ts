import { Effect } from "effect"
import { type PageRequest, readPage } from "../../domain/conversation/ReadPage.ts"
import type { ContactImport } from "../../domain/import/ContactImport.ts"
import { ContactImports } from "../../port/repository/contact/ContactImports.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { withSpan } from "../WithSpan.ts"

/** Returns a page of the imports of a tenant, newest first. */
export const listImports = Effect.fnUntraced(function* (tenantId: string, page: PageRequest) {
  yield* (yield* Tenants).get(tenantId)
  const imports = yield* ContactImports
  return yield* readPage(
    {
      scope: { tenantId, list: "contact_imports" },
      keyOf: ({ importId }: ContactImport) => [importId],
      readKey: ([importId]) => (typeof importId === "string" ? importId : null),
      fetch: (limit, after) => imports.page(tenantId, limit, after)
    },
    page
  )
}, withSpan("listImports"))
