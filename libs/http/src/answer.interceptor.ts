import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import type { Route } from '@assurance/contracts-http';
import { Answer } from './answer';

/** Sends what controllers answer: JSON always (a text as a JSON string), plain text and files only where the route says so. */
export class AnswerInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() !== 'http') return next.handle();
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(
      map((result: unknown) => {
        if (!(result instanceof Answer)) throw new Error(`${context.getHandler().name} did not return an answer`);
        const { contract } = request.routeOptions.config as { contract?: Route };
        void reply.code(result.status).headers(result.headers);
        if (contract?.media !== undefined) return result.body;
        if (contract?.plain === true) {
          void reply.header('content-type', 'text/plain; charset=utf-8');
          return String(result.body);
        }
        void reply.header('content-type', 'application/json; charset=utf-8');
        return JSON.stringify(result.body ?? null);
      }),
    );
  }
}
