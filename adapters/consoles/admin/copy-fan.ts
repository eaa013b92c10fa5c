import type { RouterContext } from '@koa/router';
import { authorizeCall, type Call, viewerOf } from '../../../schema/context.ts';
import { copyForSupport } from '../../../src/people/proposal/own-data.ts';
import { DomainError, ERRORS } from '../../../src/platform/errors.ts';
import { nothingUnder } from '../../../src/platform/identifier/known-id.ts';
import { createContext, type Runtime } from '../../../src/runtime.ts';
import { readFileName, sendCopy } from '../../fan-pages/own-data/send-copy.ts';
import type { RequestState } from '../../http/request-state.ts';
import { isCrossOrigin } from '../../http/same-origin.ts';
import { findStaffBySession } from './find-staff.ts';

/**
 * `GET {ADMIN_URL}/fan-copy/{proposal}.json` or `.html`: the copy of a fan's data that two people have agreed on, for these two, with
 * the browser's session: no token can have it.
 */
export function fanCopyEndpoint(runtime: Runtime): (ctx: RouterContext<RequestState>) => Promise<void> {
  return async (ctx) => {
    try {
      if (isCrossOrigin(ctx, runtime.config.adminUrl)) {
        throw new DomainError('forbidden', 'Start downloads from the console.');
      }
      const { requestId } = ctx.state;
      const staff = await findStaffBySession(createContext(runtime, requestId), ctx);
      const work = () => createContext(runtime, requestId);
      const call: Call = { context: work(), work, viewer: staff };
      await authorizeCall(call, 'proposals:write', 'fan_copy');
      const file = readFileName(ctx.params.file);
      if (file === undefined) throw nothingUnder('prop', ctx.params.file ?? '');
      sendCopy(ctx, await copyForSupport(call.context, file.name, viewerOf(call)), file.format);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      ctx.state.outcome = error.code;
      ctx.status = ERRORS[error.code].status;
      ctx.body = { errors: [{ message: error.message, extensions: { code: error.code } }] };
    }
  };
}
