import { anything, map, text } from '../shape';
import { route } from '../route';

const tag = 'Meta';

export const metaRoutes = {
  ready: route({
    id: 'ready',
    method: 'GET',
    path: '/ready',
    owner: 'gateway',
    permission: 'public',
    tag,
    summary: 'Whether the service can answer',
    description: 'Plain text: `OK`, or what is missing.',
    plain: true,
    answers: {
      200: { description: 'It can.', shape: text(), example: 'OK' },
      503: { description: 'It cannot, and why.', shape: text(), example: 'event store: no answer' },
    },
  }),
  openapi: route({
    id: 'openapi',
    method: 'GET',
    path: '/api/v2/openapi.json',
    owner: 'gateway',
    permission: 'public',
    tag,
    summary: 'This document',
    description: 'The API as an OpenAPI document.',
    answers: {
      200: { description: 'OpenAPI 3.1.', shape: map(anything()), example: { openapi: '3.1.0' } },
    },
  }),
} as const;
