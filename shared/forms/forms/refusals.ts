import { Failure } from '../../kernel/failure.ts';

/** A form that is to be removed and has responses, which its removal does not mention. */
export function hasResponses(response_count: number): Failure {
  return new Failure('has_responses', {
    detail: {
      en: `The form has ${response_count} responses, spam included; with_responses=true removes them too`,
      ja: `フォームには回答がスパムを含めて${response_count}件あります。回答も削除するには with_responses=true を指定してください`,
    },
    members: { response_count },
  });
}

/** A call of which what it changes asks for one more scope. */
export function needsScope(scope: 'settings:write' | 'crm:write' | 'mail:write'): Failure {
  return new Failure('insufficient_scope', {
    detail: { en: `This needs the scope ${scope} too`, ja: `スコープ ${scope} も必要です` },
    members: { required_scope: scope },
  });
}
