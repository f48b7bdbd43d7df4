import { Api } from "@leadloom/api/internal/Api"
import { companyToJson, type UpdateCompany } from "@leadloom/api/internal/contact/Companies"
import { Companies } from "@leadloom/core/internal/port/repository/contact/Companies"
import {
  type CompanyChanges,
  createCompany,
  listCompanies,
  removeCompany,
  updateCompany
} from "@leadloom/core/internal/workflow/company/ChangeCompanies"
import { listCompanyContacts } from "@leadloom/core/internal/workflow/company/ListCompanyContacts"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"
import { summaryToJson } from "./ContactViews.ts"

/** The default number of entries per page. */
const defaultPageSize = 50

const changesFromJson = ({ custom_fields, ...changes }: typeof UpdateCompany.Type): CompanyChanges => ({
  ...changes,
  ...(custom_fields !== undefined && { customFields: custom_fields })
})

/** Endpoints for the companies of a tenant. */
export const layer = HttpApiBuilder.group(Api, "companies", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* ({ params, query }) {
      const page = { limit: query.limit ?? defaultPageSize, cursor: query.cursor ?? null }
      const { items, nextCursor } = yield* answer(listCompanies(params.tenant_id, query.query ?? null, page))
      return { companies: items.map(companyToJson), next_cursor: nextCursor }
    }),
    create: Effect.fnUntraced(function* ({ params, payload }) {
      const fields = { ...changesFromJson(payload), name: payload.name }
      return companyToJson(yield* answer(createCompany(params.tenant_id, fields)))
    }),
    get: Effect.fnUntraced(function* ({ params }) {
      return companyToJson(yield* answer((yield* Companies).get(params.tenant_id, params.company_id)))
    }),
    update: Effect.fnUntraced(function* ({ params, payload }) {
      return companyToJson(yield* answer(updateCompany(params.tenant_id, params.company_id, changesFromJson(payload))))
    }),
    remove: ({ params }) => answer(removeCompany(params.tenant_id, params.company_id)),
    contacts: Effect.fnUntraced(function* ({ params, query }) {
      const { cursor = null, limit = defaultPageSize } = query
      const page = { limit, cursor, sort: "last_activity" } as const
      const found = yield* answer(listCompanyContacts(params.tenant_id, params.company_id, page))
      return { contacts: found.contacts.map(summaryToJson), next_cursor: found.nextCursor }
    })
  })
)
