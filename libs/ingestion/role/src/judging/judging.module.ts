import { Module } from '@nestjs/common';
import { CoreModule } from '../core/core.module';
import { JudgeAgain, JudgeNow } from './judge-again';
import { Judgement } from './judging';
import { JudgingWorker } from './judging-worker';
import { UniteMembers } from './unite-members';

/** Judges what environments run, now and again when evidence changes. */
@Module({
  imports: [CoreModule],
  providers: [Judgement, JudgeAgain, JudgeNow, UniteMembers, JudgingWorker],
  exports: [Judgement, JudgeNow, JudgingWorker],
})
export class JudgingModule {}
