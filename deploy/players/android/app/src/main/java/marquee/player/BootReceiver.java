package marquee.player;

import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;

/** Starts the player at boot. From Android 10 on, this needs device owner mode or permission to draw over other apps. */
public class BootReceiver extends BroadcastReceiver {
  @Override public void onReceive(Context context, Intent intent) {
    if (!Intent.ACTION_BOOT_COMPLETED.equals(intent.getAction())) return;
    context.startActivity(new Intent(context, PlayerActivity.class).addFlags(Intent.FLAG_ACTIVITY_NEW_TASK));
  }
}
