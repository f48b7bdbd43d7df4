import { BadRequest, Conflict, NotFound } from "@leadloom/api/internal/errors"
import type { RuleExists, RuleNotFound } from "@leadloom/core/internal/domain/rule/RuleList"
import type { RuleNotStartable } from "@leadloom/core/internal/workflow/trigger/StartRule"
import type { RuleTestInvalid } from "@leadloom/core/internal/workflow/rule/TestRule"

/** Maps errors about single rules to wire errors. */
export const ruleErrors = {
  RuleNotFound: ({ ruleId }: RuleNotFound) => NotFound.of(`There is no rule ${ruleId}.`),
  RuleExists: ({ ruleId }: RuleExists) =>
    Conflict.of(`The tenant already has a rule ${ruleId}. Choose another id, or change that rule with PATCH.`, {
      rule_id: ruleId
    }),
  RuleNotStartable: ({ reason, ruleId }: RuleNotStartable) =>
    Conflict.of(`The rule ${ruleId} cannot be started for this contact. ${reason}`, { rule_id: ruleId }),
  RuleTestInvalid: ({ issues }: RuleTestInvalid) => BadRequest.of("The rule cannot be tested in this way.", issues)
} as const
