import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import type { Route } from '@assurance/contracts-http';
import { Answer } from './answer';
import { prepared } from './prepared';

/** Sends what controllers answer. */
export class AnswerInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() !== 'http') return next.handle();
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(
      map((result: unknown) => {
        if (!(result instanceof Answer)) throw new Error(`${context.getHandler().name} did not return an answer`);
        const { contract } = request.routeOptions.config as { contract?: Route };
        return prepared(contract, result, reply);
      }),
    );
  }
}
