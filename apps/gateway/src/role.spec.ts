import { type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { CLOCK, HEALTH, IDS, LOGGER, PORTS, SETTINGS, SIGNERS } from '@assurance/event-sourcing/tokens';
import {
  FORWARDING,
  type ForwardingTargets,
  httpAdapter,
  identityKey,
  installPipeline,
  SECRET_BOX,
} from '@assurance/http';
import { DEFAULT_LIMITS } from '@assurance/http/testing';
import { err } from '@assurance/kernel';
import { gateway } from './role';

describe('the gateway', () => {
  let app: INestApplication;
  let fastify: FastifyInstance;
  let problems: () => string[];
  const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const settings = { publicUrl: 'https://assurance.example.com', region: 'us' as const, limits: DEFAULT_LIMITS };
  const forwarding: ForwardingTargets = {
    services: new Map(),
    key: identityKey('a secret of the tests'),
    silenceMs: 1_000,
    identity: null,
  };
  const documents = { collection: () => ({}) };
  const handed = [
    { provide: PORTS, useValue: { documents } },
    { provide: IDS, useValue: { next: () => 'id' } },
    { provide: SECRET_BOX, useValue: {} },
    { provide: FORWARDING, useValue: forwarding },
    { provide: CLOCK, useValue: { now: () => 0, steady: () => 0, earliest: () => 0 } },
    { provide: LOGGER, useValue: silent },
    { provide: HEALTH, useValue: { problems: () => problems() } },
    { provide: SETTINGS, useValue: settings },
    { provide: SIGNERS, useValue: [] },
  ];

  beforeAll(async () => {
    @Module({})
    class Root {}
    const shared = { module: class Handed {}, global: true, providers: handed, exports: handed };
    const root = { module: Root, imports: [shared, gateway.module] };
    app = await NestFactory.create(root, httpAdapter(DEFAULT_LIMITS), { bodyParser: false, logger: false });
    await installPipeline(app, {
      identify: () => Promise.resolve(err('unauthenticated' as const)),
      ids: { next: () => 'id', random: (bytes) => new Uint8Array(bytes) },
      limits: DEFAULT_LIMITS,
      logger: silent,
    });
    await app.init();
    fastify = app.getHttpAdapter().getInstance() as FastifyInstance;
    await fastify.ready();
  });
  afterAll(() => app.close());

  const ready = async () => {
    const reply = await fastify.inject({ method: 'GET', url: '/ready' });
    return [reply.statusCode, reply.body, reply.headers['content-type']];
  };

  it('is ready, in plain text', async () => {
    problems = () => [];
    expect(await ready()).toEqual([200, 'OK', 'text/plain; charset=utf-8']);
  });

  it('says what is missing', async () => {
    problems = () => ['event store: no answer', 'feed: no leader'];
    expect(await ready()).toEqual([503, 'event store: no answer; feed: no leader', 'text/plain; charset=utf-8']);
  });

  it('is live even then', async () => {
    problems = () => ['event store: no answer'];
    const reply = await fastify.inject({ method: 'GET', url: '/live' });
    expect([reply.statusCode, reply.body, reply.headers['content-type']]).toEqual([
      200,
      'OK',
      'text/plain; charset=utf-8',
    ]);
  });

  it('serves the OpenAPI document without a key', async () => {
    const reply = await fastify.inject({ method: 'GET', url: '/api/v2/openapi.json' });
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(reply.json()).toMatchObject({
      openapi: '3.1.0',
      servers: [{ url: 'https://assurance.example.com/api/v2', description: 'Region us' }],
    });
  });

  it('refuses unknown parameters there as everywhere', async () => {
    expect((await fastify.inject({ method: 'GET', url: '/api/v2/openapi.json?x=1' })).statusCode).toBe(400);
  });
});
