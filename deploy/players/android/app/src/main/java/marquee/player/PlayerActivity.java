package marquee.player;

import android.app.Activity;
import android.app.admin.DevicePolicyManager;
import android.content.ComponentName;
import android.os.Bundle;
import android.os.Handler;
import android.view.View;
import android.view.WindowManager;
import android.webkit.RenderProcessGoneDetail;
import android.webkit.WebResourceError;
import android.webkit.WebResourceRequest;
import android.webkit.WebSettings;
import android.webkit.WebView;
import android.webkit.WebViewClient;

/** The player's page in a web view that fills the screen, keeps it on and cannot be left by the device's owner mode. */
public class PlayerActivity extends Activity {
  private static final String URL = "{{url}}";
  private static final long RETRY_MS = 10_000;
  private final Handler handler = new Handler();

  @Override protected void onCreate(Bundle state) {
    super.onCreate(state);
    getWindow().addFlags(WindowManager.LayoutParams.FLAG_KEEP_SCREEN_ON);
    DevicePolicyManager policy = (DevicePolicyManager) getSystemService(DEVICE_POLICY_SERVICE);
    if (policy.isDeviceOwnerApp(getPackageName()))
      policy.setLockTaskPackages(new ComponentName(this, AdminReceiver.class), new String[] {getPackageName()});
    WebView view = new WebView(this);
    view.setSystemUiVisibility(View.SYSTEM_UI_FLAG_FULLSCREEN | View.SYSTEM_UI_FLAG_HIDE_NAVIGATION
        | View.SYSTEM_UI_FLAG_IMMERSIVE_STICKY);
    WebSettings settings = view.getSettings();
    settings.setJavaScriptEnabled(true);
    settings.setDomStorageEnabled(true);
    settings.setMediaPlaybackRequiresUserGesture(false);
    view.setWebViewClient(new Client());
    setContentView(view);
    view.loadUrl(URL);
  }

  @Override protected void onResume() {
    super.onResume();
    DevicePolicyManager policy = (DevicePolicyManager) getSystemService(DEVICE_POLICY_SERVICE);
    if (policy.isLockTaskPermitted(getPackageName())) startLockTask();
  }

  @Override public void onBackPressed() {} // the remote control does not leave the player

  private class Client extends WebViewClient {
    @Override public void onReceivedError(WebView view, WebResourceRequest request, WebResourceError error) {
      if (request.isForMainFrame()) handler.postDelayed(() -> view.loadUrl(URL), RETRY_MS);
    }

    @Override public boolean onRenderProcessGone(WebView view, RenderProcessGoneDetail detail) {
      recreate(); // with a new web view: this one is of no more use
      return true;
    }
  }
}
